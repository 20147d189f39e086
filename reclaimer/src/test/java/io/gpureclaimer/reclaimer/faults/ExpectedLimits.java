package io.gpureclaimer.reclaimer.faults;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Limits that the reclaimer must keep.
 *
 * @param idleAfter how long a workload must have been idle
 * @param warnBefore how long before the act it is warned
 * @param maxEvictions how many may go in one cycle
 * @param slack by how much clocks that differ within what is allowed may shorten both
 * @param noticed how old work may be and must still be noticed, by whichever signal is left
 * @param shortest work that must be noticed
 * @param hearsOfPods whether signals of other work than that on GPUs are reported
 * @param sideWorkSlack by how much faults may shorten the idle time after that
 */
record ExpectedLimits(
    Duration idleAfter,
    Duration warnBefore,
    int maxEvictions,
    Duration slack,
    Duration noticed,
    Duration shortest,
    boolean hearsOfPods,
    Duration sideWorkSlack) {

  /** With series only, work that is shorter than the tolerated gap leaves no trace. */
  private static final Duration GAP = Duration.ofSeconds(150);

  static ExpectedLimits under(Set<InjectedFault> faults, EvidenceSourceKind source) {
    Duration idleAfter = Duration.ofMinutes(10);
    boolean gaps = faults.stream().anyMatch(fault -> fault.leavesGapsIn(source));
    return new ExpectedLimits(
        idleAfter,
        Duration.ofMinutes(5),
        2,
        faults.stream()
            .map(InjectedFault::slack)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO)
            .plus(gaps ? GAP : Duration.ZERO),
        faults.stream()
            .flatMap(fault -> fault.noticed().stream())
            .min(Duration::compareTo)
            .orElse(idleAfter),
        gaps ? GAP : Duration.ZERO,
        source != EvidenceSourceKind.DIRECT
            && faults.stream().noneMatch(InjectedFault::keepsTooFewSamples),
        faults.stream()
            .map(InjectedFault::sideWorkSlack)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO));
  }

  /** Whether all work within the idle time must be noticed. */
  boolean areWhole() {
    return noticed.equals(idleAfter);
  }

  /** The breaker and the budgets would hide a wrong judgment; they have tests of their own. */
  static final Map<String, Object> NOTHING_ELSE_IN_THE_WAY =
      Map.of(
          "breaker.min-coverage", "0",
          "breaker.max-idle-jump", "1",
          "breaker.source-settles", "0s",
          "breaker.settle-after-start", "0s",
          "plan.max-evictions-per-hour", "1000000",
          "plan.max-namespace-evictions", "1000000",
          "plan.max-namespace-evictions-per-hour", "1000000",
          "plan.max-owner-evictions-per-day", "1000000",
          "plan.max-gpu-share-per-hour", "1");

  /** The same as the program's properties. */
  Map<String, Object> properties() {
    var properties = new HashMap<String, Object>();
    properties.put("reclaimer.cluster", "embedded");
    properties.put("reclaimer.schedule", "false");
    properties.put("policy.idle-after", idleAfter.toString());
    properties.put("policy.warn-before", warnBefore.toString());
    properties.put("plan.max-evictions", Integer.toString(maxEvictions));
    properties.putAll(NOTHING_ELSE_IN_THE_WAY);
    return properties;
  }
}
