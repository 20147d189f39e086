package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.policy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A pod that would have been taken.
 *
 * @param pod which one
 * @param isGone whether the cluster does not know it any more, so that nobody knows its owner
 * @param devices how many GPUs and MIG slices it held
 * @param at when it would have been taken
 * @param idleFor how long it had been idle then
 * @param mode under which it would have been taken
 * @param idleUntil when it was seen idle for the last time after that, without a gap
 * @param afterwards what became of it
 */
public record Reclaim(
    PodRef pod,
    boolean isGone,
    int devices,
    Instant at,
    Duration idleFor,
    Mode mode,
    Instant idleUntil,
    EvictionOutcome afterwards) {

  /** Those that would have been missed soonest first, then those that give back the most. */
  static final Comparator<Reclaim> WORST_FIRST =
      Comparator.comparing((Reclaim each) -> each.backAfter().isEmpty())
          .thenComparing(each -> each.backAfter().orElse(Duration.ZERO))
          .thenComparing(Reclaim::givenBack, Comparator.reverseOrder())
          .thenComparing(Reclaim::at)
          .thenComparing(each -> each.pod().toString())
          .thenComparing(each -> each.pod().uid());

  /** The time of its GPUs, added up, that was idle after it would have been taken. */
  public Duration givenBack() {
    return Duration.between(at, idleUntil).multipliedBy(devices);
  }

  /** How soon it would have been missed, if it was. */
  public Optional<Duration> backAfter() {
    return afterwards instanceof EvictionOutcome.BackToWork(Instant back)
        ? Optional.of(Duration.between(at, back))
        : Optional.empty();
  }

  /** Whether it would have been missed within that time. */
  boolean isBackWithin(Duration limit) {
    return backAfter().filter(after -> after.compareTo(limit) <= 0).isPresent();
  }
}
