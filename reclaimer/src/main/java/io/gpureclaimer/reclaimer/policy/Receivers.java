package io.gpureclaimer.reclaimer.policy;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whom to notify, by the names that the configuration gives them.
 *
 * @param names never empty
 */
record Receivers(List<String> names) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

  Receivers {
    names = List.copyOf(names);
  }

  /** The names, or nothing where the text is not exactly some. */
  static Optional<Receivers> of(String text) {
    List<String> names = List.of(text.split(", ?", -1));
    return names.stream().allMatch(name -> NAME.matcher(name).matches())
        ? Optional.of(new Receivers(names))
        : Optional.empty();
  }
}
