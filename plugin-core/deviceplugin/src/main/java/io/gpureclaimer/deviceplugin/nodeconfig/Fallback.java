package io.gpureclaimer.deviceplugin.nodeconfig;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What is taken where neither the label nor the default names a configuration. */
public enum Fallback {
  /** The file named {@code default}. */
  NAMED("named"),
  /** The only file there is. */
  SINGLE("single"),
  /** A configuration with nothing in it. */
  EMPTY("empty");

  private final String text;

  Fallback(String text) {
    this.text = text;
  }

  /** As users spell it. */
  public String text() {
    return text;
  }

  /**
   * Reads a list of them.
   *
   * @throws IllegalArgumentException in one line that names the one that is none
   */
  public static List<Fallback> all(List<String> texts) {
    return texts.stream().map(Fallback::of).toList();
  }

  private static Fallback of(String text) {
    return Arrays.stream(values())
        .filter(fallback -> fallback.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a fallback strategy must be one of "
                        + Arrays.stream(values())
                            .map(Fallback::text)
                            .collect(Collectors.joining(", "))
                        + ", was \""
                        + text
                        + '"'));
  }
}
