package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Metrics and labels of a counters file.
 *
 * @param counters in the order of their fields' numbers; no two have the same name
 * @param labels in the order of the file; no two have the same name
 * @param skipped rows that are not served, in the order of the file
 */
public record CounterSet(List<Counter> counters, List<LabelRow> labels, List<UnservedRow> skipped) {
  public CounterSet {
    counters =
        counters.stream().sorted(Comparator.comparingInt(counter -> counter.field().id())).toList();
    labels = List.copyOf(labels);
    skipped = List.copyOf(skipped);
    var names = new HashSet<String>();
    Stream.concat(counters.stream().map(Counter::name), labels.stream().map(LabelRow::name))
        .filter(name -> !names.add(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw new IllegalArgumentException("two rows are called " + name);
            });
  }

  /** The fields that have to be asked for. */
  public Set<DcgmField> wanted() {
    return Stream.concat(
            counters.stream().map(Counter::field), labels.stream().map(LabelRow::field))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * One row of the counters file that becomes a label on all series of a device.
   *
   * @param field whose value is the label's
   * @param name of the label, as the row spells it
   */
  public record LabelRow(DcgmField field, String name) {}

  /**
   * A row of the counters file that is valid and not served.
   *
   * @param line where it stands, from 1; null if the row itself can be served
   * @param name as the row spells it
   * @param reason for people, a half-sentence
   */
  public record UnservedRow(@Nullable Integer line, String name, String reason) {}
}
