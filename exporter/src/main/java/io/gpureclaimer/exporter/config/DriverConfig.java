package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The driver's library and the session with it. Bound from {@code driver.*}.
 *
 * @param library path of {@code libnvidia-ml.so.1}; looked for in the usual places if not given
 * @param deadline how long opening the session and counting the devices may take
 * @param retryAfter pause between a failure and the next attempt to open
 */
@Context
@ConfigurationProperties("driver")
public record DriverConfig(@Nullable Path library, Duration deadline, Duration retryAfter) {
  public DriverConfig {
    if (!deadline.isPositive()) {
      throw new IllegalArgumentException(
          "driver.deadline must be positive, was " + deadline.toMillis() + "ms");
    }
    if (!retryAfter.isPositive()) {
      throw new IllegalArgumentException(
          "driver.retry-after must be positive, was " + retryAfter.toMillis() + "ms");
    }
  }
}
