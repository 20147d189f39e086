package io.gpureclaimer.verification.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Table of the values of a run beside those recorded before. */
final class ValueComparison {
  private static final double PERCENT = 100;
  private static final String ABSENT = "–";
  private static final List<String> HEADS = List.of("value", "before", "now", "change", "");

  private ValueComparison() {}

  /** One row for each name in either, with a mark where the difference is more than noise. */
  static List<String> table(Map<String, MeasuredValue> before, Map<String, MeasuredValue> now) {
    var names = new LinkedHashSet<>(now.keySet());
    names.addAll(before.keySet());
    var rows = new ArrayList<List<String>>();
    rows.add(HEADS);
    for (String name : names) {
      rows.add(
          row(name, Optional.ofNullable(before.get(name)), Optional.ofNullable(now.get(name))));
    }
    return aligned(rows);
  }

  private static List<String> row(
      String name, Optional<MeasuredValue> before, Optional<MeasuredValue> now) {
    Optional<Double> change = before.flatMap(old -> now.flatMap(value -> change(old, value)));
    return List.of(
        name,
        before.map(MeasuredValue::show).orElse(ABSENT),
        now.map(MeasuredValue::show).orElse(ABSENT),
        change.map(value -> String.format(Locale.ROOT, "%+.1f %%", value)).orElse(ABSENT),
        mark(before, now, change));
  }

  /** In percent; empty for other units, and from zero to another value. */
  private static Optional<Double> change(MeasuredValue before, MeasuredValue now) {
    double from = before.number().doubleValue();
    double to = now.number().doubleValue();
    if (!before.unit().equals(now.unit()) || (from == 0 && to != 0)) {
      return Optional.empty();
    }
    return Optional.of(from == to ? 0.0 : PERCENT * (to - from) / Math.abs(from));
  }

  private static String mark(
      Optional<MeasuredValue> before, Optional<MeasuredValue> now, Optional<Double> change) {
    if (now.isEmpty()) {
      return "missing";
    }
    if (before.isEmpty()) {
      return "new";
    }
    if (change.isEmpty()) {
      return "not comparable";
    }
    int noise = now.get().noisePercent();
    return Math.abs(change.get()) > noise ? "beyond noise of " + noise + " %" : "";
  }

  private static List<String> aligned(List<List<String>> rows) {
    int[] widths = new int[HEADS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> aligned(row, widths)).toList();
  }

  private static String aligned(List<String> row, int[] widths) {
    return String.join(
            "  ",
            Stream.iterate(0, i -> i + 1)
                .limit(widths.length)
                .map(i -> padded(row.get(i), widths[i], i > 0 && i < widths.length - 1))
                .toList())
        .stripTrailing();
  }

  private static String padded(String text, int width, boolean right) {
    String space = " ".repeat(width - text.length());
    return right ? space + text : text + space;
  }
}
