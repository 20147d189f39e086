package io.gpureclaimer.exporter.sample;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/** The order in which readings are kept, and the rule that no two are of the same thing. */
final class ReadingOrder {
  private ReadingOrder() {}

  /** By field id; those of one field stay in the order in which they came. */
  static List<Reading> of(List<Reading> readings) {
    var sorted =
        readings.stream().sorted(Comparator.comparingInt(reading -> reading.field().id())).toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).field() == sorted.get(i - 1).field()) {
        requireDistinct(sorted);
        break;
      }
    }
    return sorted;
  }

  private static void requireDistinct(List<Reading> readings) {
    var seen = new HashSet<Object>();
    for (Reading reading : readings) {
      if (!seen.add(List.of(reading.field(), reading.extra()))) {
        throw new IllegalArgumentException(
            "expected at most one reading of " + reading.field() + ", found two");
      }
    }
  }
}
