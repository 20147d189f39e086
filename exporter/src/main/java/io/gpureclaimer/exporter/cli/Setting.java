package io.gpureclaimer.exporter.cli;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a user set, and where.
 *
 * @param source the flag or the environment variable
 * @param value as it was written
 */
record Setting(String source, String value) {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  int asNumber(String unit, int smallest, int largest) {
    int number = NUMBER.matcher(value).matches() ? Integer.parseInt(value) : -1;
    if (number < smallest || number > largest) {
      throw bad("must be a whole number of " + unit + " from " + smallest + " to " + largest);
    }
    return number;
  }

  String asOneOf(List<String> choices) {
    if (!choices.contains(value)) {
      throw bad("must be one of " + String.join(", ", choices));
    }
    return value;
  }

  /** In the spellings that dcgm-exporter takes. */
  boolean asTruth() {
    return switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> throw bad("must be true or false");
    };
  }

  /** A path may not exist yet: drivers and files may come later. */
  String asPath() {
    if (value.isBlank() || value.indexOf('\0') >= 0) {
      throw bad("must be a path");
    }
    return value;
  }

  BadValue bad(String rule) {
    return new BadValue(source + " " + rule + ", was \"" + value + '"');
  }
}
