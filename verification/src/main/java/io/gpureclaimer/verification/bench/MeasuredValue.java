package io.gpureclaimer.verification.bench;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number with its unit, as a benchmark printed it.
 *
 * @param number with the digits that were printed
 * @param unit such as {@code ms}
 */
record MeasuredValue(BigDecimal number, String unit) {
  static final Pattern TEXT = Pattern.compile("(-?\\d+(?:\\.\\d+)?) (\\S+)");
  private static final int GROUP = 3;

  /**
   * @throws IllegalArgumentException if the text is not {@code VALUE UNIT}
   */
  static MeasuredValue parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("expected VALUE UNIT, was '" + text + "'");
    }
    return new MeasuredValue(new BigDecimal(parts.group(1)), parts.group(2));
  }

  /**
   * How much a value varies between two runs of the same program, in percent. Counts, shares and
   * hours do not vary: they are results of simulations, or sizes of the input.
   */
  int noisePercent() {
    return switch (unit) {
      case "µs", "ms", "s", "ms/s", "×" -> 30;
      case "MiB", "kB", "threads", "samples", "series" -> 5;
      default -> 0;
    };
  }

  /** As the recorded values have it. */
  String text() {
    return number.toPlainString() + " " + unit;
  }

  /** For people, with a space between groups of three digits. */
  String show() {
    String[] parts = number.toPlainString().split("\\.", 2);
    var digits = new StringBuilder(parts[0]);
    for (int at = digits.length() - GROUP; at > (parts[0].startsWith("-") ? 1 : 0); at -= GROUP) {
      digits.insert(at, ' ');
    }
    return digits + (parts.length > 1 ? "." + parts[1] : "") + " " + unit;
  }
}
