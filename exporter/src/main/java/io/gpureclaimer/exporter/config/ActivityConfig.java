package io.gpureclaimer.exporter.config;

import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.exporter.activity.ActivityRules;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * When a GPU counts as active. Bound from {@code activity.*}.
 *
 * @param signs measurements that make a GPU active if one of them reaches its threshold
 * @param thresholdPercent utilization in percent from which on a GPU counts as active; at least 0,
 *     below 100; a utilization of 0 never counts
 * @param profilingThresholdPercent the same for those profiling ratios that are above 0 even on an
 *     idle GPU
 */
@Context
@ConfigurationProperties("activity")
public record ActivityConfig(
    List<String> signs, double thresholdPercent, double profilingThresholdPercent) {
  private static final int WHOLE = 100;

  public ActivityConfig {
    signs = List.copyOf(signs);
    requireThreshold("activity.threshold-percent", thresholdPercent);
    requireThreshold("activity.profiling-threshold-percent", profilingThresholdPercent);
    for (String sign : signs) {
      if (ActivityField.of(sign).isEmpty()) {
        throw new IllegalArgumentException(
            "activity.signs must be of " + all() + ", was \"" + sign + '"');
      }
    }
    if (!signs.contains(ActivityField.GPU_UTIL.text())
        && !signs.contains(ActivityField.GR_ENGINE.text())) {
      throw new IllegalArgumentException(
          "activity.signs must name gpu-util or gr-engine, was " + signs);
    }
  }

  /** The same, as the ledger takes it. */
  public ActivityRules asSigns() {
    return new ActivityRules(
        signs.stream().flatMap(sign -> ActivityField.of(sign).stream()).collect(Collectors.toSet()),
        thresholdPercent,
        profilingThresholdPercent);
  }

  private static void requireThreshold(String property, double percent) {
    if (!(percent >= 0 && percent < WHOLE)) {
      throw new IllegalArgumentException(
          property + " must be at least 0 and below 100, was " + percent);
    }
  }

  private static String all() {
    return Arrays.stream(ActivityField.values())
        .map(ActivityField::text)
        .collect(Collectors.joining(", "));
  }
}
