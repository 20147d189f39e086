package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

/**
 * A pod that would have been reclaimed.
 *
 * @param pod which one
 * @param isGone whether it no longer exists in the cluster, so that its owner is unknown
 * @param devices how many GPUs and MIG slices it held
 * @param at when it would have been reclaimed
 * @param idleFor how long it had been idle then
 * @param mode under which it would have been reclaimed
 * @param idleUntil when it was seen idle for the last time after that, without a gap
 * @param afterwards what became of it
 */
public record SimulatedReclamation(
    PodRef pod,
    boolean isGone,
    int devices,
    Instant at,
    Duration idleFor,
    Mode mode,
    Instant idleUntil,
    EvictionOutcome afterwards) {

  /** Those that were needed again soonest first, then those that free the most. */
  static final Comparator<SimulatedReclamation> WORST_FIRST =
      Comparator.comparing((SimulatedReclamation each) -> each.neededAfter().isEmpty())
          .thenComparing(each -> each.neededAfter().orElse(Duration.ZERO))
          .thenComparing(SimulatedReclamation::freed, Comparator.reverseOrder())
          .thenComparing(SimulatedReclamation::at)
          .thenComparing(each -> each.pod().toString())
          .thenComparing(each -> each.pod().uid());

  /** The time of its GPUs, added up, that was idle after it would have been reclaimed. */
  public Duration freed() {
    return Duration.between(at, idleUntil).multipliedBy(devices);
  }

  /** How soon it would have been needed again, if it was. */
  public Optional<Duration> neededAfter() {
    return afterwards instanceof EvictionOutcome.ActiveAgain(Instant back)
        ? Optional.of(Duration.between(at, back))
        : Optional.empty();
  }

  /** Whether it would have been needed again within that time. */
  boolean isNeededWithin(Duration limit) {
    return neededAfter().filter(after -> after.compareTo(limit) <= 0).isPresent();
  }

  /** Real activity of a pod after its simulated eviction. */
  public sealed interface EvictionOutcome {

    /**
     * The pod became active again: a regret.
     *
     * @param at when it was seen idle for the last time, which is before it worked by a step at
     *     most
     */
    record ActiveAgain(Instant at) implements EvictionOutcome {}

    /**
     * Unknown: the GPU worked, which other pods may share.
     *
     * @param from when it was seen idle for the last time
     */
    record SharedGpuActive(Instant from) implements EvictionOutcome {}

    /** The pod was idle to the end of the range. */
    record StillIdle() implements EvictionOutcome {}

    /**
     * The pod was deleted without further activity.
     *
     * @param at when it was seen for the last time
     */
    record PodDeleted(Instant at) implements EvictionOutcome {}

    /**
     * Unknown: the observation had a gap.
     *
     * @param from when it was seen idle for the last time
     */
    record NotObserved(Instant from) implements EvictionOutcome {}
  }

  /** A simulated eviction, followed through the pod's real activity. Confined to one thread. */
  static final class SimulatedEviction {
    private final Verdict.Due due;
    private final boolean isGone;
    private final int devices;
    private final Instant at;

    /** The newest observation before it would have been reclaimed, by the node's clock. */
    private final Instant observedUntil;

    private Instant idleUntil;
    private Instant lastLook;

    /**
     * @param activity what made it due
     */
    SimulatedEviction(
        Verdict.Due due, boolean isGone, int devices, PodActivity activity, Instant at) {
      this.due = due;
      this.isGone = isGone;
      this.devices = devices;
      this.at = at;
      this.observedUntil = latest(activity, DeviceActivity::observedUntil).orElse(at);
      this.idleUntil = at;
      this.lastLook = at;
    }

    /** What is known of it after one more step; empty while it stays idle or nothing is known. */
    Optional<EvictionOutcome> follow(Judgment judgment, PodActivity activity, Instant now) {
      Evidence evidence = judgment.evidence().getFirst().evidence();
      if (evidence instanceof Evidence.Unknown) {
        return Optional.empty();
      }
      boolean worked =
          latest(activity, device -> device.lastActive().orElse(Instant.MIN))
              .filter(observedUntil::isBefore)
              .isPresent();
      if (judgment.verdict() instanceof Verdict.Vetoed) {
        return Optional.of(new EvictionOutcome.ActiveAgain(idleUntil));
      }
      if (worked || evidence instanceof Evidence.Active) {
        return Optional.of(
            due.workload().firstPod().accelerators().shares()
                ? new EvictionOutcome.SharedGpuActive(idleUntil)
                : new EvictionOutcome.ActiveAgain(idleUntil));
      }
      if (latest(activity, DeviceActivity::observedSince)
          .filter(observedUntil::isBefore)
          .isPresent()) {
        return Optional.of(new EvictionOutcome.NotObserved(idleUntil));
      }
      idleUntil = max(at, earliestSample(activity, now));
      lastLook = now;
      return Optional.empty();
    }

    /**
     * What is known of it when there is no other step.
     *
     * @param end the last step
     * @param lastSeen when anything was seen of it for the last time
     */
    EvictionOutcome atTheEnd(Instant end, Instant lastSeen) {
      if (lastLook.equals(end)) {
        return new EvictionOutcome.StillIdle();
      }
      return isGone && lastSeen.isBefore(end)
          ? new EvictionOutcome.PodDeleted(idleUntil)
          : new EvictionOutcome.NotObserved(idleUntil);
    }

    /** All of it, with what became of it. */
    SimulatedReclamation with(EvictionOutcome afterwards) {
      return new SimulatedReclamation(
          due.workload().firstPod().ref(),
          isGone,
          devices,
          at,
          due.idleFor(),
          due.mode(),
          idleUntil,
          afterwards);
    }

    private static Optional<Instant> latest(
        PodActivity activity, Function<DeviceActivity, Instant> mark) {
      return activity.devices().stream().map(mark).max(Comparator.naturalOrder());
    }

    private static Instant earliestSample(PodActivity activity, Instant otherwise) {
      return activity.devices().stream()
          .map(DeviceActivity::sampledAt)
          .min(Comparator.naturalOrder())
          .orElse(otherwise);
    }

    private static Instant max(Instant one, Instant other) {
      return one.isAfter(other) ? one : other;
    }
  }
}
