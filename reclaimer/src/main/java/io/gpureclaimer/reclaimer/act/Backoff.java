package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which workloads are left alone for a while because of a refusal, so that others get their turn.
 * Confined to the cycle's thread. Forgotten with the process, which costs one more refused request.
 */
public final class Backoff {
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Clock clock;
  private final Map<String, Pause> pauses = new HashMap<>();

  public Backoff(Clock clock) {
    this.clock = clock;
  }

  private record Pause(Instant until, Duration length, String why) {}

  /** Until when a workload is left alone; empty if it may be tried now. */
  public Optional<Postponement> of(Verdict verdict) {
    return Optional.ofNullable(pauses.get(verdict.workload().uid()))
        .filter(pause -> pause.until().isAfter(clock.instant()))
        .map(pause -> new Postponement(verdict, pause.until(), pause.why()));
  }

  /**
   * Notes that something was tried in vain.
   *
   * @param retryAfter how long the API server asks to wait; otherwise twice as long as last time
   * @param why what came of it
   * @return when it may be tried again
   */
  Instant putOff(Verdict verdict, Optional<Duration> retryAfter, String why) {
    String uid = verdict.workload().uid();
    Instant now = clock.instant();
    pauses.values().removeIf(pause -> pause.until().plus(LONGEST).isBefore(now));
    Duration length =
        Optional.ofNullable(pauses.get(uid))
            .map(last -> shorter(last.length().multipliedBy(2), LONGEST))
            .orElse(FIRST);
    Instant until = now.plus(retryAfter.filter(Duration::isPositive).orElse(length));
    pauses.put(uid, new Pause(until, length, why));
    return until;
  }

  void forget(Verdict verdict) {
    pauses.remove(verdict.workload().uid());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
