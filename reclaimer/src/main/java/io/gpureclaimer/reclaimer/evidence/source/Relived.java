package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import io.gpureclaimer.reclaimer.evidence.source.Clocks.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Devices whose Prometheus lives through a time once more, because its clock was set back: it has
 * samples of a time to come. What it has stored for that time is older than it says, and what it
 * scrapes meanwhile it refuses as out of order; so nothing is known of the device until that time
 * has passed, and nothing about that time ever. Safe for any thread.
 */
final class Relived {
  /** The kind of the samples that {@link #question} brings. */
  static final String AHEAD = "ahead";

  private static final double MILLIS_PER_SECOND = 1_000.0;

  /**
   * Samples that are ahead by more are of a time to come; the same as the longest gap between two
   * samples of one observation. In PromQL, in seconds.
   */
  private static final String TOLERATED_SECONDS = "120";

  /** How far the question looks ahead, which is as far as a Prometheus looks back. */
  private static final String OFFSET = "-5m";

  private static final Duration REMEMBERED = Duration.ofDays(30);

  private final Map<Held, Instant> until = new ConcurrentHashMap<>();

  /** When the newest of the series' samples of a time to come was taken; mostly there is none. */
  static String question(String selector) {
    return "(timestamp("
        + selector
        + " offset "
        + OFFSET
        + ") > time() + "
        + TOLERATED_SECONDS
        + ")";
  }

  /** Takes the answer to that. A device of nobody is nobody's concern. */
  void ahead(VectorSample sample, PodLabels labels) {
    Instant newest = Instant.ofEpochMilli(Math.round(sample.value() * MILLIS_PER_SECOND));
    Optional<Entity> device = labels.device(sample.labels()).device();
    labels
        .pod(sample.labels())
        .flatMap(pod -> device.map(its -> new Held(pod, its)))
        .ifPresent(held -> until.merge(held, newest, Relived::later));
  }

  /** Takes from what was gathered what is not known. */
  void restrict(Gathering gathering, Instant at) {
    until.values().removeIf(time -> time.isBefore(at.minus(REMEMBERED)));
    until.forEach((held, time) -> gathering.knownSince(held.pod(), held.device(), time, at));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
