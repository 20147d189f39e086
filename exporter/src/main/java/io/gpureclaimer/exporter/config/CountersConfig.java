package io.gpureclaimer.exporter.config;

import io.gpureclaimer.exporter.counters.MetricNaming;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Served fields. Bound from {@code counters.*}.
 *
 * @param file the counters file
 * @param configMap ConfigMap with the counters file under the key {@code metrics}, as {@code
 *     namespace:name}, instead of {@code file}; without both, the built-in file is used
 * @param vocabulary names and units of the fields: {@code classic}, {@code 1.x} or {@code
 *     dcgm-4.7}; also selects the built-in file
 * @param refreshAfter pause between two reads of the file
 */
@Context
@ConfigurationProperties("counters")
public record CountersConfig(
    @Nullable Path file, @Nullable String configMap, String vocabulary, Duration refreshAfter) {
  private static final Pattern NAMESPACE_AND_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-.a-z0-9]*[a-z0-9])?");

  public CountersConfig {
    if (file != null && configMap != null) {
      throw new IllegalArgumentException(
          "counters.file must not be set together with counters.config-map, was " + file);
    }
    if (configMap != null && !NAMESPACE_AND_NAME.matcher(configMap).matches()) {
      throw new IllegalArgumentException(
          "counters.config-map must be namespace:name, was " + configMap);
    }
    if (MetricNaming.named(vocabulary).isEmpty()) {
      throw new IllegalArgumentException(
          "counters.vocabulary must be one of "
              + String.join(", ", MetricNaming.names())
              + ", was "
              + vocabulary);
    }
    if (!refreshAfter.isPositive()) {
      throw new IllegalArgumentException(
          "counters.refresh-after must be positive, was " + refreshAfter.toMillis() + "ms");
    }
  }
}
