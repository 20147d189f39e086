package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;

/** The annotations of an object, without kubectl's copy of the manifest, which may be large. */
final class WrittenAnnotations {
  private static final String COPY_OF_MANIFEST = "kubectl.kubernetes.io/last-applied-configuration";

  private WrittenAnnotations() {}

  static Map<String, String> of(ObjectMeta metadata) {
    return Absent.asEmpty(metadata.getAnnotations()).entrySet().stream()
        .filter(entry -> !entry.getKey().equals(COPY_OF_MANIFEST))
        .collect(Collectors.toUnmodifiableMap(Entry::getKey, Entry::getValue));
  }
}
