package io.gpureclaimer.reclaimer.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * How the reclaimer runs. Bound from {@code reclaimer.*}.
 *
 * @param interval pause between two cycles; at least one second
 * @param dryRun say what would be done, and write nothing
 * @param schedule whether cycles run by themselves; a single command runs one of its own
 * @param cluster {@code kubernetes}, or {@code embedded} where the host program brings its own
 */
@Context
@ConfigurationProperties("reclaimer")
public record ReclaimerConfig(Duration interval, boolean dryRun, boolean schedule, String cluster) {
  private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);

  public ReclaimerConfig {
    if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
      throw new IllegalArgumentException("reclaimer.interval must be at least 1s, was " + interval);
    }
    if (!cluster.equals("kubernetes") && !cluster.equals("embedded")) {
      throw new IllegalArgumentException(
          "reclaimer.cluster must be kubernetes or embedded, was " + cluster);
    }
  }
}
