package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides whether what one look brought can be built on. A pure function of the look and of what is
 * remembered of those before.
 */
public final class CircuitBreaker {
  private static final double ROUNDING = 1e-6;

  private final BreakerLimits limits;

  public CircuitBreaker(BreakerLimits limits) {
    this.limits = limits;
  }

  /**
   * What a look is worth.
   *
   * @param health whether anything may follow from it
   * @param memory what is to be remembered for the next one
   */
  public record Check(Health health, Memory memory) {}

  /**
   * Checks one look.
   *
   * @param observation what the source answered
   * @param judgments of every workload
   * @param before from the last look
   * @param now our clock, read when the source was asked
   */
  public Check check(
      Observation observation, List<Judgment> judgments, Memory before, Instant now) {
    Census census = Census.of(judgments, now);
    List<Trip> doubts =
        Stream.of(ofAnswer(observation, now), ofCoverage(observation, census))
            .flatMap(Optional::stream)
            .toList();
    Memory after = doubts.isEmpty() ? before.with(level(before, census, now)) : before;
    List<Trip> trips =
        Stream.concat(
                doubts.stream(),
                Stream.of(ofJump(after, census), ofLeader(after, now)).flatMap(Optional::stream))
            .toList();
    return new Check(new Health(census, trips), after);
  }

  private Optional<Trip> ofAnswer(Observation observation, Instant now) {
    return switch (observation) {
      case Blind(String reason) -> Optional.of(new Trip.Blind(reason));
      case Seen seen when isApart(seen.at(), now) ->
          Optional.of(new Trip.ClockSkew(seen.at(), now, limits.maxSkew()));
      case Seen seen ->
          seen.sourceStartedAt()
              .filter(start -> seen.at().isBefore(start.plus(limits.sourceSettles())))
              .map(start -> new Trip.FreshSource(start, start.plus(limits.sourceSettles())));
    };
  }

  private boolean isApart(Instant source, Instant ours) {
    return Duration.between(source, ours).abs().compareTo(limits.maxSkew()) > 0;
  }

  /** One pod may be missing in the smallest cluster: it is unknown, and nobody else's matter. */
  private Optional<Trip> ofCoverage(Observation observation, Census census) {
    if (observation instanceof Blind) {
      return Optional.empty();
    }
    int missing = census.expected() - census.seen();
    double allowed = Math.max(1, census.expected() * (1 - limits.minCoverage()));
    return missing > allowed + ROUNDING
        ? Optional.of(new Trip.LowCoverage(census.seen(), census.expected(), limits.minCoverage()))
        : Optional.empty();
  }

  private IdleLevel level(Memory before, Census census, Instant now) {
    return before
        .idle()
        .map(known -> known.after(census, limits, now))
        .orElseGet(() -> IdleLevel.of(census));
  }

  private Optional<Trip> ofJump(Memory memory, Census census) {
    return memory
        .idle()
        .flatMap(
            level ->
                level
                    .jumpedAt()
                    .map(
                        at ->
                            new Trip.IdleJump(
                                level.share(), census.idleShare(), at.plus(limits.jumpSettles()))));
  }

  private Optional<Trip> ofLeader(Memory memory, Instant now) {
    return memory
        .leadingSince()
        .filter(since -> now.isBefore(since.plus(limits.leaderSettles())))
        .map(since -> new Trip.FreshLeader(since, since.plus(limits.leaderSettles())));
  }
}
