package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.device.Gpu;
import io.gpureclaimer.core.nvml.GpuHandle;
import io.gpureclaimer.core.nvml.Nvml;

/**
 * One GPU of an open session.
 *
 * @param nvml the session
 * @param handle the driver's handle in that session
 * @param gpu how it introduced itself
 */
public record Device(Nvml nvml, GpuHandle handle, Gpu gpu) {}
