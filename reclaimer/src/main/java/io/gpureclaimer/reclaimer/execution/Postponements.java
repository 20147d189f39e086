package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Workloads that are skipped for a while after a refusal. Confined to the cycle's thread. Lost with
 * the process, which costs one more refused request.
 */
public final class Postponements {
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Clock clock;
  private final Map<String, Pause> pauses = new HashMap<>();

  public Postponements(Clock clock) {
    this.clock = clock;
  }

  private record Pause(Backoff backoff, Instant until, String why) {}

  /**
   * A workload that is left out of the plan for a while, because the last try did not work.
   *
   * @param verdict on the workload
   * @param notBefore when it may be tried again
   * @param why the result of the last try
   */
  public record Postponement(Verdict verdict, Instant notBefore, String why) {}

  /** How long a workload is left alone; empty if it may be tried now. */
  public Optional<Postponement> of(Verdict verdict) {
    return Optional.ofNullable(pauses.get(verdict.workload().uid()))
        .filter(pause -> pause.until().isAfter(clock.instant()))
        .map(pause -> new Postponement(verdict, pause.until(), pause.why()));
  }

  /**
   * Notes that a step was tried in vain.
   *
   * @param retryAfter how long the API server asks to wait; otherwise twice as long as last time
   * @param why the result
   * @return when it may be tried again
   */
  Instant add(Verdict verdict, Optional<Duration> retryAfter, String why) {
    Instant now = clock.instant();
    pauses.values().removeIf(pause -> pause.until().plus(LONGEST).isBefore(now));
    Pause last = pauses.get(verdict.workload().uid());
    Backoff backoff = last == null ? new Backoff(FIRST, LONGEST, () -> 0) : last.backoff();
    Duration pause = backoff.next();
    Instant until = now.plus(retryAfter.filter(Duration::isPositive).orElse(pause));
    pauses.put(verdict.workload().uid(), new Pause(backoff, until, why));
    return until;
  }

  void forget(Verdict verdict) {
    pauses.remove(verdict.workload().uid());
  }
}
