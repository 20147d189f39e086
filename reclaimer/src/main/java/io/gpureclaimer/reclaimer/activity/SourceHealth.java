package io.gpureclaimer.reclaimer.activity;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How well the source itself is. What it could not tell is absent.
 *
 * @param startedAt when it was started, for a source that forgets by that
 * @param agentsKnown how many agents it should hear from
 * @param agentsUp how many of them it has heard from
 */
public record SourceHealth(
    Optional<Instant> startedAt, OptionalInt agentsKnown, OptionalInt agentsUp) {

  /** Nothing is known. */
  public static SourceHealth unknown() {
    return new SourceHealth(Optional.empty(), OptionalInt.empty(), OptionalInt.empty());
  }
}
