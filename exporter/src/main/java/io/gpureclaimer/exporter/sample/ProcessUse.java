package io.gpureclaimer.exporter.sample;

import org.jspecify.annotations.Nullable;

/**
 * What one process uses of a device.
 *
 * @param pid as the host counts
 * @param memoryBytes frame buffer that it holds; null when the driver does not tell
 * @param smPercent share of time on the multiprocessors, 0 for a process that did nothing; null
 *     when the driver does not tell
 */
public record ProcessUse(long pid, @Nullable Long memoryBytes, @Nullable Double smPercent) {}
