package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the agent serves. Bound from {@code web.*}.
 *
 * @param configFile TLS, passwords and headers; plain HTTP for everybody if not given
 * @param refreshAfter pause between two looks at that file and those it names
 * @param openHealth whether {@code /health} and {@code /ready} are answered without a password
 * @param openmetrics whether scrapers that ask for OpenMetrics get it
 */
@Context
@ConfigurationProperties("web")
public record WebConfig(
    @Nullable Path configFile, Duration refreshAfter, boolean openHealth, boolean openmetrics) {
  public WebConfig {
    if (!refreshAfter.isPositive()) {
      throw new IllegalArgumentException(
          "web.refresh-after must be positive, was " + refreshAfter.toMillis() + "ms");
    }
  }
}
