package io.gpureclaimer.common.device;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Identity of one GPU of one node.
 *
 * @param index the driver's index of it, from zero; may change when the driver is loaded again
 * @param uuid its name for life
 * @param pciBusId {@code 00000000:19:00.0}: a domain of eight digits, hexadecimal in upper case;
 *     null for one that is on no bus, as that of a Jetson
 * @param modelName as the driver spells it, such as {@code NVIDIA H100 80GB HBM3}; never blank
 */
public record Gpu(int index, GpuUuid uuid, @Nullable String pciBusId, String modelName) {
  private static final Pattern PCI_BUS_ID =
      Pattern.compile("[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\\.[0-7]");

  public Gpu {
    if (index < 0) {
      throw new IllegalArgumentException("a GPU's index must not be negative, was " + index);
    }
    if (pciBusId != null && !PCI_BUS_ID.matcher(pciBusId).matches()) {
      throw new IllegalArgumentException(
          "a GPU's PCI bus id must look like 00000000:19:00.0, was \"" + pciBusId + '"');
    }
    if (modelName.isBlank()) {
      throw new IllegalArgumentException("a GPU's model name must not be blank");
    }
  }
}
