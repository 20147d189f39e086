package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.PodKey.PodDevice;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Guard against a Prometheus whose clock was set back, which has samples from the future. What it
 * stored for that time is older than it says, and it refuses new samples as out of order. So
 * nothing is known of a device until that time has passed, and nothing about that time ever. Safe
 * for any thread.
 */
public final class ClockRollbackGuard {
  /** The kind of the samples of {@link #query}. */
  public static final String AHEAD = "ahead";

  /** The longest gap between two samples of one observation; newer samples are from the future. */
  private static final String TOLERATED_SECONDS = "120";

  /** As far as a Prometheus looks back. */
  private static final String OFFSET = "-5m";

  private static final Duration REMEMBERED = Duration.ofDays(30);

  private final Map<PodDevice, Instant> until = new ConcurrentHashMap<>();

  /** The time of the newest sample of the series, if it is from the future. */
  public static String query(String selector) {
    return "(timestamp("
        + selector
        + " offset "
        + OFFSET
        + ") > time() + "
        + TOLERATED_SECONDS
        + ")";
  }

  /** Takes a sample of that query; one without a pod's device concerns no pod. */
  void ahead(MetricSample sample, PodLabels labels) {
    labels
        .podDevice(sample.labels())
        .ifPresent(
            device ->
                until.merge(
                    device,
                    sample.valueAsInstant(),
                    (one, other) -> one.isAfter(other) ? one : other));
  }

  /** Discards what is not known because of a rollback. */
  void restrict(PodActivityAggregator aggregator, Instant at) {
    until.values().removeIf(time -> time.isBefore(at.minus(REMEMBERED)));
    until.forEach((device, time) -> aggregator.knownSince(device, time, at));
  }
}
