package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastSpell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Idle periods of one workload in the last days.
 *
 * <p>A workload is idle since the last activity of any of its pods, or since the observation of one
 * of them began. Only what samples prove counts: a period ends with activity that was recorded. At
 * a step at which a pod has no sample, but has one before and after it, nothing is known of the
 * workload; nor is while it has no pods.
 */
public record IdlePast(List<IdlePeriod> periods) {
  /** How much earlier or later counts as the same time of day. */
  public static final Duration SAME_TIME = Duration.ofHours(2);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  public IdlePast {
    periods = List.copyOf(periods);
  }

  /**
   * One idle period.
   *
   * @param from when it began
   * @param provenUntil until when it is known to have lasted
   * @param nextActive first activity after it that was recorded, which may be later than the first
   *     activity that there was; empty if none was
   */
  public record IdlePeriod(Instant from, Instant provenUntil, Optional<Instant> nextActive) {}

  /**
   * What followed on an idle time of the same length in the past.
   *
   * @param periods idle periods that lasted as long, and of which it is known what followed
   * @param ended of these, how many ended within the next hour
   */
  public record IdleOutcomes(int periods, int ended) {
    public IdleOutcomes {
      if (ended < 0 || ended > periods) {
        throw new IllegalArgumentException(
            "expected 0 to " + periods + " ended periods, found " + ended);
      }
    }
  }

  /** The idle periods of the pods of one workload, in the order of time. */
  public static IdlePast of(TimeRange range, Collection<PastPod> pods) {
    List<PodSteps> steps =
        pods.stream().filter(pod -> !pod.spells().isEmpty()).map(PodSteps::new).toList();
    var periods = new ArrayList<IdlePeriod>();
    long last = steps.stream().mapToLong(pod -> pod.lastStep).max().orElse(-1);
    long step = steps.stream().mapToLong(pod -> pod.firstStep).min().orElse(0);
    for (; step <= last; step++) {
      workloadAt(steps, step, range.at(step)).ifPresent(sample -> add(sample, periods));
    }
    return new IdlePast(periods);
  }

  /** What is known at one step of a workload. */
  private record WorkloadSample(
      Optional<Instant> lastActive, Instant idleSince, Instant provenUntil) {}

  /** Empty if it has no pods, or the sample of one of them was lost. */
  private static Optional<WorkloadSample> workloadAt(List<PodSteps> pods, long step, Instant at) {
    Optional<WorkloadSample> sample = Optional.empty();
    for (PodSteps pod : pods) {
      if (step < pod.firstStep || step > pod.lastStep) {
        continue;
      }
      Optional<PastSpell> spell = pod.at(step);
      if (spell.isEmpty()) {
        return Optional.empty();
      }
      sample = Optional.of(joined(sample, spell.get(), earlier(spell.get().observedUntil(), at)));
    }
    return sample;
  }

  private static WorkloadSample joined(
      Optional<WorkloadSample> others, PastSpell spell, Instant provenUntil) {
    return others
        .map(
            known ->
                new WorkloadSample(
                    latest(known.lastActive(), spell.lastActive()),
                    later(known.idleSince(), spell.idleSince()),
                    earlier(known.provenUntil(), provenUntil)))
        .orElseGet(() -> new WorkloadSample(spell.lastActive(), spell.idleSince(), provenUntil));
  }

  private static void add(WorkloadSample sample, List<IdlePeriod> periods) {
    if (!periods.isEmpty()) {
      IdlePeriod last = periods.removeLast();
      boolean isSame = !sample.idleSince().isAfter(last.from());
      periods.add(
          new IdlePeriod(
              last.from(),
              isSame ? later(last.provenUntil(), sample.provenUntil()) : last.provenUntil(),
              last.nextActive()
                  .or(() -> sample.lastActive().filter(active -> active.isAfter(last.from())))));
      if (isSame) {
        return;
      }
      recordActivity(sample, periods);
    }
    periods.add(new IdlePeriod(sample.idleSince(), sample.provenUntil(), Optional.empty()));
  }

  /** A period before the last one may end only now: between them the observation began again. */
  private static void recordActivity(WorkloadSample sample, List<IdlePeriod> periods) {
    for (int i = periods.size() - 2; i >= 0 && periods.get(i).nextActive().isEmpty(); i--) {
      IdlePeriod open = periods.get(i);
      periods.set(
          i,
          new IdlePeriod(
              open.from(),
              open.provenUntil(),
              sample.lastActive().filter(active -> active.isAfter(open.from()))));
    }
  }

  /**
   * What followed on each period that lasted for a time.
   *
   * <p>A period counts if it is known to have lasted for that time and either for an hour more, or
   * not: then activity was recorded within that hour. All others do not count.
   */
  public IdleOutcomes after(Duration idleFor) {
    return after(idleFor, _ -> true);
  }

  /** The same of periods that lasted for that time at this time of day. */
  public IdleOutcomes after(Duration idleFor, Instant at) {
    return after(idleFor, reached -> isSameTime(reached, at));
  }

  private static boolean isSameTime(Instant one, Instant other) {
    long apart = Math.floorMod(Duration.between(one, other).toMillis(), DAY.toMillis());
    return Math.min(apart, DAY.toMillis() - apart) <= SAME_TIME.toMillis();
  }

  private IdleOutcomes after(Duration idleFor, Predicate<Instant> counts) {
    int known = 0;
    int ended = 0;
    for (IdlePeriod period : periods) {
      Instant reached = period.from().plus(idleFor);
      Instant hourLater = reached.plus(HOUR);
      if (period.provenUntil().isBefore(reached) || !counts.test(reached)) {
        continue;
      }
      if (!period.provenUntil().isBefore(hourLater)) {
        known++;
      } else if (period.nextActive().filter(active -> !active.isAfter(hourLater)).isPresent()) {
        known++;
        ended++;
      }
    }
    return new IdleOutcomes(known, ended);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Optional<Instant> latest(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty()
        ? other
        : other.isEmpty() ? one : Optional.of(later(one.get(), other.get()));
  }

  /** The samples of one pod, read step by step. Confined to one thread. */
  private static final class PodSteps {
    private final List<PastSpell> spells;
    private final long firstStep;
    private final long lastStep;
    private int next;

    PodSteps(PastPod pod) {
      this.spells = pod.spells();
      this.firstStep = spells.getFirst().firstStep();
      this.lastStep = spells.getLast().lastStep();
    }

    /** The spell of a step; steps must be asked for in their order. */
    Optional<PastSpell> at(long step) {
      while (spells.get(next).lastStep() < step) {
        next++;
      }
      return Optional.of(spells.get(next)).filter(spell -> spell.firstStep() <= step);
    }
  }
}
