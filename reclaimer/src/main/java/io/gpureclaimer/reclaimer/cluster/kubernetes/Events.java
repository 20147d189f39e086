package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.gpureclaimer.common.kubernetes.CoreEvents;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Instant;

/** Writes what people shall read on a pod. */
final class Events {
  private static final String COMPONENT = "gpu-reclaimer";

  private Events() {}

  static Event of(PodRef pod, Notice notice, Instant at) {
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("Pod")
            .withNamespace(pod.namespace())
            .withName(pod.name())
            .withUid(pod.uid())
            .build();
    return CoreEvents.about(
            about, COMPONENT, notice.warning(), notice.reason(), notice.message(), at)
        .withNewMetadata()
        .withNamespace(pod.namespace())
        .withGenerateName(pod.name() + ".")
        .endMetadata()
        .build();
  }
}
