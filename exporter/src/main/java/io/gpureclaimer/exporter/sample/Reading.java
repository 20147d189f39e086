package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/**
 * One value of one device.
 *
 * @param field which quantity
 * @param value finite, already in the unit that the field promises
 * @param extra labels that distinguish it from other readings of the same field; mostly none
 */
public record Reading(DcgmField field, double value, List<Label> extra) {
  private static final Comparator<Reading> BY_ID =
      Comparator.comparingInt(reading -> reading.field().id());

  public Reading {
    extra = List.copyOf(extra);
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(field + " must be finite, was " + value);
    }
  }

  /** The only reading of its field. */
  public Reading(DcgmField field, double value) {
    this(field, value, List.of());
  }

  /**
   * Sorts by field id; readings of one field stay in their order.
   *
   * @throws IllegalArgumentException if two have the same field and labels
   */
  static List<Reading> inOrder(List<Reading> readings) {
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

  /** Readings of one field: NVLinks can have a hundred. */
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
