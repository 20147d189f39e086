package io.gpureclaimer.reclaimer.evidence.direct;

import java.util.Map;

/**
 * One line of an agent's metrics.
 *
 * @param name the metric
 * @param labels by name
 * @param value what it is; NaN and the infinities are values too
 */
public record TextSample(String name, Map<String, String> labels, double value) {
  public TextSample {
    labels = Map.copyOf(labels);
  }
}
