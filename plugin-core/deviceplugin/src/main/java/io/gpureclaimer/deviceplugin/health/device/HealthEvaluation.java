package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import io.gpureclaimer.nvml.poll.MigFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the health of a GPU after a poll.
 *
 * @param facts what the GPU reported
 * @param counters what it counts
 * @param listened whether its XIDs are heard
 * @param at when
 */
record HealthEvaluation(GpuFacts facts, GpuCounters counters, boolean listened, Instant at) {
  /** Ampere: from here on an error that was contained is XID 94, and one that was not another. */
  private static final int FIRST_TO_CONTAIN_ERRORS = 8;

  GpuState of(GpuState before, HealthPolicy policy) {
    boolean restarted = counters.hasRestartedSince(before.counters());
    Map<Integer, Set<String>> division = division();
    List<HealthIssue> issues =
        before.issues().stream()
            .filter(policy.checks()::count)
            .map(issue -> restarted && issue.settled() ? issue.afterReset() : issue)
            .map(issue -> issue.within(division))
            .toList();
    var state =
        new GpuState(
            true,
            division,
            issues,
            facts.capability() != null && facts.capability().major() >= FIRST_TO_CONTAIN_ERRORS,
            restarted ? counters : counters.or(before.counters()),
            before.quiet(),
            before.lastGood());
    return settled(
        refused(
            wantsAction(policy) ? state.with(action()) : quieted(state, restarted, policy),
            issues));
  }

  private boolean wantsAction(HealthPolicy policy) {
    return !policy.checks().seesNothing()
        && facts.recovery() != null
        && facts.recovery() != RecoveryAction.NONE;
  }

  private HealthIssue action() {
    return HealthIssue.of(
        UnhealthyReason.RECOVERY_ACTION,
        "the driver wants this done first: " + facts.recovery(),
        at,
        RecoveryCondition.ALL_CLEAR);
  }

  /** With the refused instances; they do not end the quiet of the others. */
  private GpuState refused(GpuState state, List<HealthIssue> before) {
    List<HealthIssue> all = new ArrayList<>(state.issues());
    for (HealthIssue refusal : refusals()) {
      if (all.stream().noneMatch(refusal::isAgain)) {
        all.add(before.stream().filter(refusal::isAgain).findFirst().orElse(refusal));
      }
    }
    return new GpuState(
        true,
        state.division(),
        all,
        state.containsErrors(),
        state.counters(),
        state.quiet(),
        state.lastGood());
  }

  /** GPU instances of which the driver describes no MIG device. */
  private List<HealthIssue> refusals() {
    Set<Integer> readable =
        facts.instances().stream().map(MigFacts::gpuInstance).collect(Collectors.toSet());
    return facts.refused().stream()
        .flatMap(
            refused -> {
              MigFacts known = refused.lastKnown();
              return known == null || readable.contains(known.gpuInstance())
                  ? Stream.<HealthIssue>empty()
                  : Stream.of(
                      HealthIssue.of(
                              UnhealthyReason.UNREADABLE,
                              refused.reason(),
                              at,
                              RecoveryCondition.ANSWERS)
                          .in(known.gpuInstance(), known.uuid()));
            })
        .toList();
  }

  /** What cannot be heard is no quiet. */
  private GpuState quieted(GpuState state, boolean restarted, HealthPolicy policy) {
    boolean deaf = !listened && state.issues().stream().anyMatch(issue -> issue.reason().isHeard());
    if (deaf) {
      return state.unquiet();
    }
    Duration quiet = restarted ? Duration.ZERO : state.quiet().plus(step(state.lastGood(), policy));
    boolean longEnough = quiet.compareTo(policy.quietTime()) >= 0;
    List<HealthIssue> left =
        state.issues().stream().filter(issue -> !(longEnough && isCured(issue, policy))).toList();
    return new GpuState(
        true,
        state.division(),
        left,
        state.containsErrors(),
        state.counters(),
        longEnough ? policy.quietTime() : quiet,
        at);
  }

  /** A changed clock, or an hour without surveys, makes no quiet hour. */
  private Duration step(@Nullable Instant lastGood, HealthPolicy policy) {
    if (lastGood == null || at.isBefore(lastGood)) {
      return Duration.ZERO;
    }
    Duration gap = Duration.between(lastGood, at);
    return gap.compareTo(policy.longestStep()) < 0 ? gap : policy.longestStep();
  }

  private boolean isCured(HealthIssue issue, HealthPolicy policy) {
    return switch (issue.cure()) {
      case ANSWERS -> true;
      case ALL_CLEAR ->
          issue.resetSeen()
              || facts.recovery() == RecoveryAction.NONE
              || (facts.recovery() == null && policy.quietIsEnough());
      case RESET -> issue.resetSeen();
    };
  }

  private Map<Integer, Set<String>> division() {
    return facts.placedInstances().stream()
        .map(GpuFacts.PlacedInstance::facts)
        .collect(
            Collectors.groupingBy(
                MigFacts::gpuInstance,
                Collectors.mapping(MigFacts::uuid, Collectors.toUnmodifiableSet())));
  }

  private static GpuState settled(GpuState state) {
    return new GpuState(
        state.readable(),
        state.division(),
        state.issues().stream().map(HealthIssue::afterSurvey).toList(),
        state.containsErrors(),
        state.counters(),
        state.quiet(),
        state.lastGood());
  }
}
