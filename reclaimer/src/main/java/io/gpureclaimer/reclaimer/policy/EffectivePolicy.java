package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What holds for one workload, and for every value who says so.
 *
 * @param mode how far the reclaimer may go
 * @param idleAfter how long the workload must have been idle
 * @param warnBefore how long it must have been warned
 * @param startupGrace how long after its start its idle time begins
 * @param action by which act it may be reclaimed
 * @param keeps the wishes to keep it for a while, any of which keeps it
 * @param protectedHours the hours in which it is left alone
 * @param lastActivity when it last did something, as itself says
 * @param caps the most that may be taken from its namespace
 * @param receivers whom to notify besides those who always are, by the names of the configuration
 * @param excludedBy the object that excludes it
 * @param remarks what does not hold as it is written
 * @param distrusted the first annotation that cannot be understood; the mode is then at most report
 */
public record EffectivePolicy(
    Setting<Mode> mode,
    Setting<Duration> idleAfter,
    Setting<Duration> warnBefore,
    Setting<Duration> startupGrace,
    Setting<WorkloadClass> workloadClass,
    Setting<ActionChoice> action,
    List<Setting<Keep>> keeps,
    List<Setting<ProtectedHours>> protectedHours,
    Optional<Setting<Instant>> lastActivity,
    Caps caps,
    List<Setting<String>> receivers,
    Optional<String> excludedBy,
    List<Remark> remarks,
    Optional<Remark> distrusted) {
  public EffectivePolicy {
    keeps = List.copyOf(keeps);
    protectedHours = List.copyOf(protectedHours);
    receivers = List.copyOf(receivers);
    remarks = List.copyOf(remarks);
    if (distrusted.isPresent() && mode.value().exceeds(Mode.REPORT)) {
      throw new IllegalArgumentException(
          "a distrusted policy reports at most, was " + mode.value().text());
    }
    if (warnBefore.value().compareTo(idleAfter.value()) > 0) {
      throw new IllegalArgumentException(
          "warn-before must be at most idle-after, was " + warnBefore + " and " + idleAfter);
    }
  }

  /** How long the workload must have been idle to be warned. */
  public Duration warnAfter() {
    return idleAfter.value().minus(warnBefore.value());
  }
}
