package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import java.util.Map;

/**
 * One GPU of an open session.
 *
 * @param nvml the session
 * @param handle the driver's handle in that session
 * @param gpu how it introduced itself
 * @param texts what it said of itself in words
 */
public record Device(Nvml nvml, GpuHandle handle, Gpu gpu, Map<DcgmField, String> texts) {
  public Device {
    texts = Map.copyOf(texts);
  }
}
