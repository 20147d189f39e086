package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.nvml.GpuHandle;

/**
 * One instance of a GPU that MIG has divided.
 *
 * @param handle the driver's handle of the first MIG device in it; void once it is divided anew
 * @param instance which part of the GPU
 */
public record InstanceDevice(GpuHandle handle, MigInstance instance) {}
