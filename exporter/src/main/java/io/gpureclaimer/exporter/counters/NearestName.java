package io.gpureclaimer.exporter.counters;

import io.gpureclaimer.common.vocabulary.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What somebody probably meant. */
final class NearestName {
  private static final int LONGEST = 100;

  private NearestName() {}

  /** The name that is a few slips of the pen away; empty when all are further. */
  static Optional<String> to(String written, Collection<String> names) {
    int furthest = Math.max(2, written.length() / 4);
    return written.length() > LONGEST
        ? Optional.empty()
        : names.stream()
            .filter(name -> Math.abs(name.length() - written.length()) <= furthest)
            .map(name -> new Candidate(name, EditDistance.of(written, name)))
            .filter(candidate -> candidate.edits <= furthest)
            .min(Comparator.comparingInt(Candidate::edits).thenComparing(Candidate::name))
            .map(Candidate::name);
  }

  private record Candidate(String name, int edits) {}
}
