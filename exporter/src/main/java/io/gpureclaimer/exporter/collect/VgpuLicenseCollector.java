package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_VGPU_LICENSE_STATUS;

import jakarta.inject.Singleton;

/** Whether a virtual GPU is licensed. */
@Singleton
final class VgpuLicenseCollector implements Collector {
  @Override
  public String name() {
    return "vgpu_license";
  }

  @Override
  public void collect(Device device, Readings into) {
    into.add(
        DEV_VGPU_LICENSE_STATUS,
        device.nvml().vgpuLicensed(device.handle()),
        licensed -> licensed ? 1 : 0);
  }
}
