package io.gpureclaimer.reclaimer.cluster.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.gpureclaimer.common.kubernetes.CoreEvents;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bodies of the requests that write to a pod or about it. */
final class PodRequests {
  private static final String COMPONENT = "gpu-reclaimer";

  private PodRequests() {}

  /**
   * A merge patch that changes annotations of one version of one pod: the server refuses it with a
   * conflict when the UID or the resource version is another.
   */
  static String annotations(PodView pod, Map<String, Optional<String>> changes) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", pod.ref().uid());
    metadata.put("resourceVersion", pod.resourceVersion());
    ObjectNode annotations = metadata.putObject("annotations");
    changes.forEach(
        (key, value) ->
            value.ifPresentOrElse(
                text -> annotations.put(key, text), () -> annotations.putNull(key)));
    return patch.toString();
  }

  /** The eviction of one version of one pod. */
  static Eviction eviction(PodView pod, boolean dryRun, String apiVersion) {
    return new EvictionBuilder()
        .withApiVersion(apiVersion)
        .withNewMetadata()
        .withNamespace(pod.ref().namespace())
        .withName(pod.ref().name())
        .endMetadata()
        .withDeleteOptions(
            new DeleteOptionsBuilder()
                .withDryRun(dryRun ? List.of("All") : List.of())
                .withNewPreconditions()
                .withUid(pod.ref().uid())
                .withResourceVersion(pod.resourceVersion())
                .endPreconditions()
                .build())
        .build();
  }

  /** An Event about an object. */
  static Event event(ObjectRef object, Notice notice, Instant at) {
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion(object.apiVersion())
            .withKind(object.kind())
            .withNamespace(object.namespace())
            .withName(object.name())
            .withUid(object.uid())
            .build();
    return CoreEvents.about(
            about, COMPONENT, notice.warning(), notice.reason(), notice.message(), at)
        .withNewMetadata()
        .withNamespace(object.namespace())
        .withGenerateName(object.name() + ".")
        .endMetadata()
        .build();
  }
}
