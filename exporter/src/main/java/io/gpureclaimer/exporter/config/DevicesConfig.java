package io.gpureclaimer.exporter.config;

import io.gpureclaimer.exporter.devices.MigValuePlacement;
import io.gpureclaimer.exporter.devices.Selection;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;

/**
 * Served devices. Bound from {@code devices.*}.
 *
 * @param gpus a selection, as {@code --devices} takes it
 * @param mayBeMissing whether a selected device that does not exist only causes a warning at the
 *     start
 * @param repeatOnInstances whether the values of a GPU that MIG has divided are repeated on each of
 *     its instances
 */
@Context
@ConfigurationProperties("devices")
public record DevicesConfig(String gpus, boolean mayBeMissing, boolean repeatOnInstances) {
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

  /** On which series the values of a divided GPU stand. */
  public MigValuePlacement division() {
    return repeatOnInstances ? MigValuePlacement.REPEATED : MigValuePlacement.ONCE;
  }
}
