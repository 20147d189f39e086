package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.PodRef;

/**
 * Who holds a GPU.
 *
 * @param pod the pod that holds it, maybe terminating
 */
public record Holder(String node, GpuUuid device, PodRef pod) {}
