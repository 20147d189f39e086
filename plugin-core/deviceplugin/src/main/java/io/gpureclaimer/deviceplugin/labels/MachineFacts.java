package io.gpureclaimer.deviceplugin.labels;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the machine tells past the driver.
 *
 * @param product its model, as its firmware has it; null if not told
 * @param gpuClasses the PCI classes of its NVIDIA GPUs, such as {@code 0x030200}; empty if not told
 * @param vgpu the hypervisor's driver; null if no GPU is virtual, or that is not told
 */
public record MachineFacts(
    @Nullable String product, List<String> gpuClasses, @Nullable VgpuHost vgpu) {
  /** Nothing is told. */
  public static final MachineFacts UNKNOWN = new MachineFacts(null, List.of(), null);

  public MachineFacts {
    gpuClasses = List.copyOf(gpuClasses);
  }
}
