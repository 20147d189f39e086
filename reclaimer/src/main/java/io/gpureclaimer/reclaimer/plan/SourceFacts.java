package io.gpureclaimer.reclaimer.plan;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of the source that answered, besides its answer.
 *
 * @param startedAt when it was started, by its own clock; absent where it does not say
 */
public record SourceFacts(Optional<Instant> startedAt) {

  /** Nothing. */
  public static final SourceFacts NONE = new SourceFacts(Optional.empty());
}
