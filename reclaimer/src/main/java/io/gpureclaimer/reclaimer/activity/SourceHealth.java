package io.gpureclaimer.reclaimer.activity;

import java.time.Instant;
import java.util.Optional;

/**
 * How well the source itself is. What it could not tell is absent.
 *
 * @param startedAt when it was started, for a source that forgets by that
 */
public record SourceHealth(Optional<Instant> startedAt) {

  /** Nothing is known. */
  public static SourceHealth unknown() {
    return new SourceHealth(Optional.empty());
  }
}
