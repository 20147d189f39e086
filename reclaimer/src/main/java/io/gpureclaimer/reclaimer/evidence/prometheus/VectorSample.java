package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.time.Instant;
import java.util.Map;

/**
 * One element of an instant vector.
 *
 * @param labels those of its labels that were asked for
 * @param value what it is
 * @param at the time the Prometheus answered for
 */
public record VectorSample(Map<String, String> labels, double value, Instant at) {
  public VectorSample {
    labels = Map.copyOf(labels);
  }
}
