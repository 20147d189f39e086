package io.gpureclaimer.common.device;

/**
 * What a MIG device has, in NVML's own numbers ({@code nvmlDeviceAttributes_t}).
 *
 * @param memoryMib its memory, in MiB
 * @param multiprocessors streaming multiprocessors
 * @param gpuSlices slices of the GPU instance
 * @param computeSlices slices of the compute instance
 * @param copyEngines shared copy engines
 * @param decoders shared decoders
 * @param encoders shared encoders
 * @param jpegEngines shared JPEG engines
 * @param ofaEngines shared optical flow accelerators
 */
public record MigSize(
    long memoryMib,
    int multiprocessors,
    int gpuSlices,
    int computeSlices,
    int copyEngines,
    int decoders,
    int encoders,
    int jpegEngines,
    int ofaEngines) {}
