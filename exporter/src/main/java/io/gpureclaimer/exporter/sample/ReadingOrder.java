package io.gpureclaimer.exporter.sample;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/** The order in which readings are kept, and the rule that no two are of the same thing. */
final class ReadingOrder {
  private static final Comparator<Reading> BY_ID =
      Comparator.comparingInt(reading -> reading.field().id());

  private ReadingOrder() {}

  /** By field id; those of one field stay in the order in which they came. */
  static List<Reading> of(List<Reading> readings) {
    var sorted = readings.toArray(Reading[]::new);
    Arrays.sort(sorted, BY_ID);
    for (int from = 0; from < sorted.length; ) {
      int to = from + 1;
      while (to < sorted.length && sorted[to].field() == sorted[from].field()) {
        to++;
      }
      requireDistinct(sorted, from, to);
      from = to;
    }
    return List.of(sorted);
  }

  /** Readings of one field: those of NVLinks can be a hundred. */
  private static void requireDistinct(Reading[] readings, int from, int to) {
    if (to - from == 1) {
      return;
    }
    var seen = new HashSet<List<Label>>();
    for (int i = from; i < to; i++) {
      if (!seen.add(readings[i].extra())) {
        throw new IllegalArgumentException(
            "expected at most one reading of " + readings[i].field() + ", found two");
      }
    }
  }
}
