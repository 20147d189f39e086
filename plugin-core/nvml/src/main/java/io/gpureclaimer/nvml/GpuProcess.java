package io.gpureclaimer.nvml;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A process that has a GPU open.
 *
 * @param pid as the host counts
 * @param usedBytes frame buffer that it holds; absent where the driver does not report it
 * @param instance the GPU instance that it is in; absent without MIG
 */
public record GpuProcess(long pid, OptionalLong usedBytes, OptionalInt instance) {}
