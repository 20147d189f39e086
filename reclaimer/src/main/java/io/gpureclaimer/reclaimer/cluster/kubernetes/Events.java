package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes what people shall read on a pod as a core Event, as kubectl describe shows it. */
final class Events {
  private static final String COMPONENT = "gpu-reclaimer";
  private static final int LONGEST_MESSAGE = 1024;

  private Events() {}

  static Event of(PodRef pod, Notice notice, Instant at) {
    String time = at.truncatedTo(ChronoUnit.SECONDS).toString();
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(pod.namespace())
        .withGenerateName(pod.name() + ".")
        .endMetadata()
        .withNewInvolvedObject()
        .withApiVersion("v1")
        .withKind("Pod")
        .withNamespace(pod.namespace())
        .withName(pod.name())
        .withUid(pod.uid())
        .endInvolvedObject()
        .withType(notice.warning() ? "Warning" : "Normal")
        .withReason(notice.reason())
        .withMessage(atMost(LONGEST_MESSAGE, notice.message()))
        .withNewSource()
        .withComponent(COMPONENT)
        .endSource()
        .withReportingComponent(COMPONENT)
        .withFirstTimestamp(time)
        .withLastTimestamp(time)
        .withCount(1)
        .build();
  }

  private static String atMost(int length, String text) {
    return text.length() <= length ? text : text.substring(0, length);
  }
}
