package io.gpureclaimer.exporter.cli;

import com.google.re2j.PatternSyntaxException;
import io.gpureclaimer.common.time.Durations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
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

  /** A namespace and a name as Kubernetes takes them. */
  private static final Pattern NAMESPACED =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-.a-z0-9]*[a-z0-9])?");

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

  /** A folder is looked into at once, so it has to be there. */
  String asFolder() {
    if (!Files.isDirectory(Path.of(asPath()))) {
      throw bad("must be a folder that is there");
    }
    return value;
  }

  /** As Go writes it: {@code 10s}, {@code 1m30s}, {@code 1.5s}; {@code 0} too. */
  Duration asDuration() {
    return Durations.parseGo(value)
        .orElseThrow(() -> bad("must be a duration like 500ms, 1.5s or 1m30s"));
  }

  /** Without blanks around its elements, and without empty ones. */
  List<String> asList() {
    return Arrays.stream(value.split(",", -1))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  /** A list of regular expressions. */
  List<String> asPatterns() {
    var patterns = asList();
    for (String pattern : patterns) {
      try {
        com.google.re2j.Pattern.compile(pattern);
      } catch (PatternSyntaxException e) {
        throw bad("must be regular expressions of Go (RE2), but " + e.getMessage());
      }
    }
    return patterns;
  }

  /** {@code namespace:name}. */
  String asNamespaced() {
    if (!NAMESPACED.matcher(value).matches()) {
      throw bad("must be namespace:name");
    }
    return value;
  }

  BadValue bad(String rule) {
    return new BadValue(source + " " + rule + ", was \"" + value + '"');
  }
}
