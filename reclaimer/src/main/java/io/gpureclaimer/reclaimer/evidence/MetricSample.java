package io.gpureclaimer.reclaimer.evidence;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One sample of one series.
 *
 * @param labels those of its labels that were requested, with the metric's name as {@link #NAME}
 * @param value the value; NaN and the infinities are values too
 * @param at the time of the source's answer
 */
public record MetricSample(Map<String, String> labels, double value, Instant at) {
  /** The label of a metric's name. */
  public static final String NAME = "__name__";

  public MetricSample {
    labels = Map.copyOf(labels);
  }

  /** The metric; null for a computed sample. */
  public @Nullable String name() {
    return labels.get(NAME);
  }

  /** A value of seconds since the epoch as an instant. */
  public Instant valueAsInstant() {
    return Instant.ofEpochMilli(Math.round(value * 1_000));
  }
}
