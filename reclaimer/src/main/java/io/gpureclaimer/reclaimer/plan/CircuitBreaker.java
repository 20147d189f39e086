package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides whether an observation is reliable enough for warnings and actions. A pure function of
 * the observation and of the history.
 */
public final class CircuitBreaker {
  private static final double ROUNDING = 1e-6;

  private final Limits limits;

  public CircuitBreaker(Limits limits) {
    this.limits = limits;
  }

  /**
   * When the circuit breaker opens.
   *
   * @param minCoverage which share of the running pods with GPUs must be observed, 0 to 1
   * @param maxIdleJump by how much the share of idle GPUs may rise between two cycles, 0 to 1; 1 is
   *     no limit
   * @param jumpWorkloads how many more workloads must be idle for that to count
   * @param jumpSettles how long a higher share must last to be believed
   * @param sourceSettles how long the source must have been running
   * @param leaderSettles how long this replica must have been leading
   * @param maxSkew how much the source's clock and ours may differ
   */
  public record Limits(
      double minCoverage,
      double maxIdleJump,
      int jumpWorkloads,
      Duration jumpSettles,
      Duration sourceSettles,
      Duration leaderSettles,
      Duration maxSkew) {
    public Limits {
      requireShare("minCoverage", minCoverage);
      requireShare("maxIdleJump", maxIdleJump);
    }

    private static void requireShare(String name, double value) {
      if (!(value >= 0 && value <= 1)) {
        throw new IllegalArgumentException(name + " must be from 0 to 1, was " + value);
      }
    }
  }

  /**
   * State of the circuit breaker in one cycle.
   *
   * @param coverage how much the cycle has observed
   * @param reasons why the circuit breaker is open; empty while it is closed
   */
  public record BreakerStatus(CoverageStats coverage, List<BreakerReason> reasons) {

    /** Closed, before anything was observed. */
    public static final BreakerStatus CLOSED = new BreakerStatus(CoverageStats.EMPTY, List.of());

    public BreakerStatus {
      reasons = List.copyOf(reasons);
    }

    /** Whether nothing new may be begun. */
    public boolean isOpen() {
      return !reasons.isEmpty();
    }
  }

  /**
   * Result of one check.
   *
   * @param status whether anything may follow from the observation
   * @param history for the next cycle
   */
  public record BreakerCheck(BreakerStatus status, PlanHistory history) {}

  /**
   * Checks one cycle.
   *
   * @param observation what the source answered
   * @param judgments of every workload
   * @param before from the last cycle
   * @param now our clock, read when the source was asked
   */
  public BreakerCheck check(
      Observation observation, List<Judgment> judgments, PlanHistory before, Instant now) {
    CoverageStats coverage = CoverageStats.of(judgments, now);
    List<BreakerReason> doubts =
        Stream.of(onAnswer(observation, now), onCoverage(observation, coverage))
            .flatMap(Optional::stream)
            .toList();
    PlanHistory after = doubts.isEmpty() ? before.with(level(before, judgments, now)) : before;
    List<BreakerReason> reasons =
        Stream.concat(
                doubts.stream(),
                Stream.of(onJump(after), onLeader(after, now)).flatMap(Optional::stream))
            .toList();
    return new BreakerCheck(new BreakerStatus(coverage, reasons), after);
  }

  private Optional<BreakerReason> onAnswer(Observation observation, Instant now) {
    return switch (observation) {
      case Blind(String reason) -> Optional.of(new BreakerReason.Blind(reason));
      case Seen seen when isApart(seen.at(), now) ->
          Optional.of(new BreakerReason.ClockSkew(seen.at(), now, limits.maxSkew()));
      case Seen seen ->
          seen.sourceStartedAt()
              .filter(start -> seen.at().isBefore(start.plus(limits.sourceSettles())))
              .map(
                  start ->
                      new BreakerReason.FreshSource(start, start.plus(limits.sourceSettles())));
    };
  }

  private boolean isApart(Instant source, Instant ours) {
    return Duration.between(source, ours).abs().compareTo(limits.maxSkew()) > 0;
  }

  /**
   * One pod may be missing in the smallest cluster: then only the activity of that pod is unknown.
   */
  private Optional<BreakerReason> onCoverage(Observation observation, CoverageStats coverage) {
    if (observation instanceof Blind) {
      return Optional.empty();
    }
    int missing = coverage.expected() - coverage.seen();
    double allowed = Math.max(1, coverage.expected() * (1 - limits.minCoverage()));
    return missing > allowed + ROUNDING
        ? Optional.of(
            new BreakerReason.LowCoverage(
                coverage.seen(), coverage.expected(), limits.minCoverage()))
        : Optional.empty();
  }

  private IdleLevel level(PlanHistory before, List<Judgment> judgments, Instant now) {
    return before
        .idle()
        .map(known -> known.after(judgments, limits, now))
        .orElseGet(() -> IdleLevel.of(judgments, now));
  }

  private Optional<BreakerReason> onJump(PlanHistory history) {
    return history
        .idle()
        .flatMap(IdleLevel::jump)
        .map(
            found ->
                new BreakerReason.IdleJump(
                    found.from(), found.to(), found.since().plus(limits.jumpSettles())));
  }

  private Optional<BreakerReason> onLeader(PlanHistory history, Instant now) {
    return history
        .leadingSince()
        .filter(since -> now.isBefore(since.plus(limits.leaderSettles())))
        .map(since -> new BreakerReason.FreshLeader(since, since.plus(limits.leaderSettles())));
  }
}
