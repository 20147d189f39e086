package io.gpureclaimer.nvml;

import java.util.OptionalLong;

/**
 * A GPU's frame buffer, in bytes.
 *
 * @param totalBytes all of it
 * @param reservedBytes kept by driver and firmware; absent from drivers before 510, which count it
 *     as used
 * @param freeBytes not allocated
 * @param usedBytes allocated; with {@code reservedBytes} present, without those
 */
public record Memory(long totalBytes, OptionalLong reservedBytes, long freeBytes, long usedBytes) {}
