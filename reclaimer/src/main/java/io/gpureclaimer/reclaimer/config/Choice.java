package io.gpureclaimer.reclaimer.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A property that names some of a few things by their codes. */
final class Choice {
  private Choice() {}

  /** Those of all that are named; {@code none} alone names none. */
  static <T> Set<T> of(String property, List<String> codes, T[] all, Function<T, String> code) {
    Map<String, T> known = new LinkedHashMap<>();
    for (T each : all) {
      known.put(code.apply(each), each);
    }
    List<String> named = codes.equals(List.of("none")) ? List.of() : codes;
    for (String asked : named) {
      if (!known.containsKey(asked)) {
        throw new IllegalArgumentException(
            property
                + " must be none or some of "
                + String.join(", ", known.keySet())
                + ", was "
                + asked);
      }
    }
    known.keySet().retainAll(named);
    return Set.copyOf(known.values());
  }
}
