package io.gpureclaimer.nvml;

/**
 * How busy a GPU was over the driver's last sample period, between 1/6 and 1 second.
 *
 * @param gpuPercent time during which at least one kernel ran
 * @param memoryPercent time during which device memory was read or written
 */
public record Utilization(int gpuPercent, int memoryPercent) {}
