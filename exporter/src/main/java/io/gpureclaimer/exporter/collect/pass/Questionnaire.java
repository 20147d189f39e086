package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What every GPU is asked in a pass.
 *
 * @param wanted the fields that somebody has a use for
 * @param collectors those that can tell any of them, or something else
 */
public record Questionnaire(Set<DcgmField> wanted, List<Collector> collectors) {
  public Questionnaire {
    wanted = Set.copyOf(wanted);
  }

  /**
   * Leaves out who has nothing to tell that is wanted, or needed to tell it; those who need what
   * others tell come last.
   */
  public static Questionnaire of(Set<DcgmField> wanted, List<Collector> collectors) {
    var all = new HashSet<>(wanted);
    collectors.stream()
        .filter(collector -> !Collections.disjoint(collector.tells(), wanted))
        .forEach(collector -> all.addAll(collector.needs()));
    return new Questionnaire(
        all,
        collectors.stream()
            .filter(
                collector ->
                    collector.tellsMoreThanFields()
                        || !Collections.disjoint(collector.tells(), all))
            .sorted(Comparator.comparing(collector -> !collector.needs().isEmpty()))
            .toList());
  }
}
