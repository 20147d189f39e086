package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.vocabulary.DcgmField;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * What every GPU is asked in a pass.
 *
 * @param wanted the fields that somebody has a use for
 * @param collectors those that can tell any of them
 */
record Questionnaire(Set<DcgmField> wanted, List<Collector> collectors) {

  /** Leaves out who has nothing to tell that is wanted. */
  static Questionnaire of(Set<DcgmField> wanted, List<Collector> collectors) {
    return new Questionnaire(
        Set.copyOf(wanted),
        collectors.stream()
            .filter(collector -> !Collections.disjoint(collector.tells(), wanted))
            .toList());
  }
}
