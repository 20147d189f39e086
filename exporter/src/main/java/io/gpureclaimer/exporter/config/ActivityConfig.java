package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;

/**
 * When a GPU counts as at work. Bound from {@code activity.*}.
 *
 * @param thresholdPercent it does when its utilization is strictly above; at least 0, below 100
 */
@Context
@ConfigurationProperties("activity")
public record ActivityConfig(double thresholdPercent) {
  public ActivityConfig {
    if (!(thresholdPercent >= 0 && thresholdPercent < 100)) {
      throw new IllegalArgumentException(
          "activity.threshold-percent must be at least 0 and below 100, was " + thresholdPercent);
    }
  }
}
