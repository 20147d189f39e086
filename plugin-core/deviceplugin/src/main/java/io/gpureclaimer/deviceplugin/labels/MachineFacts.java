package io.gpureclaimer.deviceplugin.labels;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Facts about the machine that do not come from the driver.
 *
 * @param product its model, as its firmware has it; null if unknown
 * @param gpuClasses the PCI classes of its NVIDIA GPUs, such as {@code 0x030200}; empty if unknown
 * @param vgpu the hypervisor's driver; null if no GPU is virtual, or that is unknown
 */
public record MachineFacts(
    @Nullable String product, List<String> gpuClasses, @Nullable VgpuHost vgpu) {
  /** Nothing is known. */
  public static final MachineFacts UNKNOWN = new MachineFacts(null, List.of(), null);

  public MachineFacts {
    gpuClasses = List.copyOf(gpuClasses);
  }

  /**
   * The hypervisor's driver, as a virtual GPU reports it to its guest.
   *
   * @param driverVersion such as {@code 460.16}; null if not reported
   * @param driverBranch such as {@code r460_00}; null if not reported
   */
  public record VgpuHost(@Nullable String driverVersion, @Nullable String driverBranch) {}
}
