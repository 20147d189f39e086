package io.gpureclaimer.deviceplugin.allocation.preference;

import io.gpureclaimer.common.device.GpuUuid;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be chosen: a device, or a share of one.
 *
 * @param id by which it is chosen
 * @param device the UUID of the device
 * @param gpu the GPU that the device is, or is a part of
 * @param numaNode that the GPU is near to; null if not known
 * @param shared whether it is a share
 */
public record Candidate(
    String id, String device, GpuUuid gpu, @Nullable Integer numaNode, boolean shared) {}
