package io.gpureclaimer.reclaimer.cluster.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.Map;
import java.util.Optional;

/**
 * The merge patch that changes annotations of one version of one pod: the server refuses it with a
 * conflict when the UID or the resource version is another.
 */
final class AnnotationPatch {
  private AnnotationPatch() {}

  static String of(PodView pod, Map<String, Optional<String>> changes) {
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
}
