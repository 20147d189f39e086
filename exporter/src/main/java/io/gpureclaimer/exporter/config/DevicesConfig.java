package io.gpureclaimer.exporter.config;

import io.gpureclaimer.exporter.devices.Selection;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;

/**
 * Which devices are served. Bound from {@code devices.*}.
 *
 * @param gpus a selection, as {@code --devices} takes it
 * @param mayBeMissing whether a device that it names and that is not there stops the start no more
 *     than it does later: it is only warned of
 */
@Context
@ConfigurationProperties("devices")
public record DevicesConfig(String gpus, boolean mayBeMissing) {
  public DevicesConfig {
    try {
      Selection.of(gpus);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "devices.gpus " + e.getMessage() + ", was \"" + gpus + '"');
    }
  }

  /** The same, understood. */
  public Selection selection() {
    return Selection.of(gpus);
  }
}
