package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_VGPU_LICENSE_STATUS;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Whether a virtual GPU is licensed. */
@Singleton
public final class VgpuLicenseCollector implements Collector {
  @Override
  public String name() {
    return "vgpu_license";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_VGPU_LICENSE_STATUS);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    into.add(
        DEV_VGPU_LICENSE_STATUS,
        device.nvml().vgpuLicensed(device.handle()),
        licensed -> licensed ? 1 : 0);
  }
}
