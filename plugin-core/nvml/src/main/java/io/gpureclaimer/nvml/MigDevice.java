package io.gpureclaimer.nvml;

/**
 * A compute instance in a GPU instance: what CUDA takes for a device while MIG is on.
 *
 * @param handle to query it with; void once the MIG layout of its GPU changes
 * @param instance the id of its GPU instance
 * @param compute its id within that
 * @param profile the profile of its GPU instance, as {@code 1g.10gb} or {@code 1g.10gb+me}
 * @param uuid its name, {@code MIG-} and a UUID
 */
public record MigDevice(GpuHandle handle, int instance, int compute, String profile, String uuid) {}
