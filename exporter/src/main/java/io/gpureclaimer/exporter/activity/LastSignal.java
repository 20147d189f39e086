package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.common.vocabulary.BoardSignal;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Last sign of work by the signals of one device within an observation.
 *
 * @param at the last pass in which one of them was above its limit or was not known; the start of
 *     the observation if none was
 * @param signal which; null if none was
 * @param watched those that the device reports
 */
public record LastSignal(Instant at, @Nullable BoardSignal signal, Set<BoardSignal> watched) {
  public LastSignal {
    watched = Set.copyOf(watched);
  }

  /** Of a device that reports none of them. */
  static LastSignal unwatched(Instant since) {
    return new LastSignal(since, null, Set.of());
  }
}
