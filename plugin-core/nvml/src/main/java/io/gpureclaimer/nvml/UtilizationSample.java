package io.gpureclaimer.nvml;

/**
 * How busy something was in one of the driver's own sample periods.
 *
 * @param atMicros the end of the period, in microseconds since 1970
 * @param percent of the time, or of the capacity
 */
public record UtilizationSample(long atMicros, int percent) {}
