package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import io.gpureclaimer.nvml.poll.InventoryUpdate.Counters;
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
 * What a survey that brought a GPU means for its health.
 *
 * @param facts what the GPU told
 * @param counters what it counts
 * @param listened whether its XIDs are heard
 * @param at when
 */
record Checkup(GpuFacts facts, Counters counters, boolean listened, Instant at) {
  /** Ampere: from here on an error that was contained is XID 94, and one that was not another. */
  private static final int FIRST_TO_CONTAIN_ERRORS = 8;

  GpuState of(GpuState before, HealthPolicy policy) {
    boolean startedAnew = counters.hasRestartedSince(before.counters());
    Map<Integer, Set<String>> division = division();
    List<Ailment> ailments =
        before.ailments().stream()
            .filter(policy.checks()::count)
            .map(ailment -> startedAnew && ailment.settled() ? ailment.afterReset() : ailment)
            .map(ailment -> ailment.within(division))
            .toList();
    var state =
        new GpuState(
            true,
            division,
            ailments,
            facts.capability() != null && facts.capability().major() >= FIRST_TO_CONTAIN_ERRORS,
            startedAnew ? counters : counters.or(before.counters()),
            before.quiet(),
            before.lastGood());
    return settled(
        refused(
            wantsAction(policy) ? state.with(action()) : quieted(state, startedAnew, policy),
            ailments));
  }

  private boolean wantsAction(HealthPolicy policy) {
    return !policy.checks().seesNothing()
        && facts.recovery() != null
        && facts.recovery() != RecoveryAction.NONE;
  }

  private Ailment action() {
    return Ailment.of(
        Reason.RECOVERY_ACTION,
        "the driver wants this done first: " + facts.recovery(),
        at,
        Cure.ALL_CLEAR);
  }

  /** With the refused instances; they do not end the quiet of the others. */
  private GpuState refused(GpuState state, List<Ailment> before) {
    List<Ailment> all = new ArrayList<>(state.ailments());
    for (Ailment refusal : refusals()) {
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
  private List<Ailment> refusals() {
    Set<Integer> readable =
        facts.instances().stream().map(MigFacts::gpuInstance).collect(Collectors.toSet());
    return facts.refused().stream()
        .flatMap(
            refused -> {
              MigFacts known = refused.lastKnown();
              return known == null || readable.contains(known.gpuInstance())
                  ? Stream.<Ailment>empty()
                  : Stream.of(
                      Ailment.of(Reason.UNREADABLE, refused.reason(), at, Cure.ANSWERS)
                          .in(known.gpuInstance(), known.uuid()));
            })
        .toList();
  }

  /** What cannot be heard is no quiet. */
  private GpuState quieted(GpuState state, boolean startedAnew, HealthPolicy policy) {
    boolean deaf =
        !listened && state.ailments().stream().anyMatch(ailment -> ailment.reason().isHeard());
    if (deaf) {
      return state.unquiet();
    }
    Duration quiet =
        startedAnew ? Duration.ZERO : state.quiet().plus(step(state.lastGood(), policy));
    boolean longEnough = quiet.compareTo(policy.quietTime()) >= 0;
    List<Ailment> left =
        state.ailments().stream()
            .filter(ailment -> !(longEnough && isCured(ailment, policy)))
            .toList();
    return new GpuState(
        true,
        state.division(),
        left,
        state.containsErrors(),
        state.counters(),
        longEnough ? policy.quietTime() : quiet,
        at);
  }

  /** A clock that is set, or nobody looking for an hour, makes no quiet hour. */
  private Duration step(@Nullable Instant lastGood, HealthPolicy policy) {
    if (lastGood == null || at.isBefore(lastGood)) {
      return Duration.ZERO;
    }
    Duration gap = Duration.between(lastGood, at);
    return gap.compareTo(policy.longestStep()) < 0 ? gap : policy.longestStep();
  }

  private boolean isCured(Ailment ailment, HealthPolicy policy) {
    return switch (ailment.cure()) {
      case ANSWERS -> true;
      case ALL_CLEAR ->
          ailment.resetSeen()
              || facts.recovery() == RecoveryAction.NONE
              || (facts.recovery() == null && policy.quietIsEnough());
      case RESET -> ailment.resetSeen();
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
        state.ailments().stream().map(Ailment::afterSurvey).toList(),
        state.containsErrors(),
        state.counters(),
        state.quiet(),
        state.lastGood());
  }
}
