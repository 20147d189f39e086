package io.gpureclaimer.doctor;

import java.util.Comparator;
import java.util.List;

/**
 * What all checks came to.
 *
 * @param checks in the order in which they were made
 */
public record Diagnosis(List<CheckOutcome> checks) {
  public Diagnosis {
    checks = List.copyOf(checks);
  }

  /**
   * Result of one check, with its name.
   *
   * @param check its name
   * @param outcome what it came to
   */
  public record CheckOutcome(String check, Outcome outcome) {}

  /** The most urgent first; of one urgency, as they were made. */
  public List<CheckOutcome> byUrgency() {
    return checks.stream()
        .sorted(Comparator.comparing((CheckOutcome it) -> it.outcome().kind()))
        .toList();
  }

  /** How many came to that. */
  public long count(Outcome.OutcomeKind kind) {
    return checks.stream().filter(it -> it.outcome().kind() == kind).count();
  }

  /** What a program exits with: 1 if there is a problem. */
  public int exitCode() {
    return count(Outcome.OutcomeKind.PROBLEM) > 0 ? 1 : 0;
  }
}
