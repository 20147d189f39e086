package io.gpureclaimer.exporter.config;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;

/**
 * Files that say what was served. Bound from {@code dump.*}.
 *
 * @param enabled whether there are any
 * @param directory where; made when it is missing
 * @param retentionHours age at which one is removed; 0 for never
 * @param compression whether they are compressed with gzip
 * @param limitMib how large they may be together, in MiB; the oldest are removed
 */
@Context
@ConfigurationProperties("dump")
public record DumpConfig(
    boolean enabled, Path directory, int retentionHours, boolean compression, int limitMib) {
  public DumpConfig {
    if (retentionHours < 0) {
      throw new IllegalArgumentException(
          "dump.retention-hours must be at least 0, was " + retentionHours);
    }
    if (limitMib < 1) {
      throw new IllegalArgumentException("dump.limit-mib must be at least 1, was " + limitMib);
    }
  }
}
