package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the API leaves out or sends as null, read as nothing. */
final class Absent {
  private Absent() {}

  static Map<String, String> asEmpty(@Nullable Map<String, ? extends @Nullable String> map) {
    if (map == null) {
      return Map.of();
    }
    return map.entrySet().stream()
        .filter(entry -> entry.getValue() != null)
        .collect(Collectors.toUnmodifiableMap(Entry::getKey, Entry::getValue));
  }

  static String asEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
