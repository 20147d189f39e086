package io.gpureclaimer.reclaimer.act;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which pods a disruption budget protects for now. Confined to the cycle's thread. Forgotten with
 * the process, which costs one more refused request.
 */
public final class Backoff {
  private static final Duration FIRST = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Clock clock;
  private final Map<String, Pause> pauses = new HashMap<>();

  public Backoff(Clock clock) {
    this.clock = clock;
  }

  private record Pause(Instant until, Duration length) {}

  /** When the pod may be tried again; empty if it may be now. */
  Optional<Instant> notBefore(String uid) {
    pauses.values().removeIf(pause -> pause.until().plus(LONGEST).isBefore(clock.instant()));
    return Optional.ofNullable(pauses.get(uid))
        .map(Pause::until)
        .filter(until -> until.isAfter(clock.instant()));
  }

  /** Notes a refusal: as long as the API server asks for, else twice as long as the last time. */
  Instant blocked(String uid, Optional<Duration> retryAfter) {
    Duration doubled =
        Optional.ofNullable(pauses.get(uid)).map(p -> p.length().multipliedBy(2)).orElse(FIRST);
    Duration length = retryAfter.orElse(doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled);
    Instant until = clock.instant().plus(length);
    pauses.put(uid, new Pause(until, length));
    return until;
  }

  void forget(String uid) {
    pauses.remove(uid);
  }
}
