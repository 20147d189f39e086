package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Collectors and fields of each poll.
 *
 * @param wanted the fields that are of use
 * @param collectors those that report one of them, or something else
 */
public record CollectionPlan(Set<DcgmField> wanted, List<Collector> collectors) {
  public CollectionPlan {
    wanted = Set.copyOf(wanted);
  }

  /**
   * Leaves out collectors of which nothing is wanted or needed by another one, unless they run in
   * any case: these compute from what is read for others. Those that need the fields of others come
   * last.
   */
  public static CollectionPlan of(Set<DcgmField> wanted, List<Collector> collectors) {
    var all = new HashSet<>(wanted);
    collectors.stream()
        .filter(collector -> !Collections.disjoint(collector.fields(), wanted))
        .forEach(collector -> all.addAll(collector.inputs()));
    collectors.stream()
        .filter(Collector::alwaysRuns)
        .forEach(collector -> all.addAll(collector.fields()));
    return new CollectionPlan(
        all,
        collectors.stream()
            .filter(
                collector ->
                    collector.alwaysRuns() || !Collections.disjoint(collector.fields(), all))
            .sorted(Comparator.comparing(collector -> !collector.inputs().isEmpty()))
            .toList());
  }

  /** All fields that can be collected: those of the collectors, and texts. */
  public static Set<DcgmField> supported(Collection<Collector> collectors) {
    return Stream.concat(
            collectors.stream().flatMap(collector -> collector.fields().stream()),
            TextFields.texts().stream())
        .collect(Collectors.toUnmodifiableSet());
  }
}
