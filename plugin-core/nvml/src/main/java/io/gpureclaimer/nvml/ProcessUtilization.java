package io.gpureclaimer.nvml;

/**
 * Utilization of a GPU by one process.
 *
 * @param pid as the host counts
 * @param atMicros the driver's time of the newest sample in it, in microseconds since 1970
 * @param smPercent share of time on the multiprocessors
 * @param memoryPercent share of time in which it read or wrote memory
 * @param encoderPercent of the encoders' capacity
 * @param decoderPercent of the decoders' capacity
 */
public record ProcessUtilization(
    long pid,
    long atMicros,
    int smPercent,
    int memoryPercent,
    int encoderPercent,
    int decoderPercent) {}
