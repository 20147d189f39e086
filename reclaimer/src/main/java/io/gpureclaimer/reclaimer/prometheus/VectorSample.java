package io.gpureclaimer.reclaimer.prometheus;

import java.time.Instant;
import java.util.Map;

/**
 * One element of an instant vector.
 *
 * @param labels those of its labels that were asked for
 * @param value what it is
 * @param at the time the Prometheus answered for
 */
record VectorSample(Map<String, String> labels, double value, Instant at) {
  VectorSample {
    labels = Map.copyOf(labels);
  }
}
