package io.gpureclaimer.nvml;

import java.util.List;

/**
 * Query for several GPM metrics in one call; reusable. Each GPU keeps the memory for the answers as
 * long as the query is in use somewhere.
 */
public final class GpmQuery {
  private final List<Integer> metrics;

  /** Their numbers in {@code nvml.h}; answers come in this order. */
  public GpmQuery(List<Integer> metrics) {
    this.metrics = List.copyOf(metrics);
  }

  public List<Integer> metrics() {
    return metrics;
  }
}
