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

  /**
   * The hypervisor's driver, as a virtual GPU tells it to its guest.
   *
   * @param driverVersion such as {@code 460.16}; null if not told
   * @param driverBranch such as {@code r460_00}; null if not told
   */
  public record VgpuHost(@Nullable String driverVersion, @Nullable String driverBranch) {}
}
