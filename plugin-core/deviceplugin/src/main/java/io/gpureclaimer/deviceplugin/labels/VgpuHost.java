package io.gpureclaimer.deviceplugin.labels;

import org.jspecify.annotations.Nullable;

/**
 * The hypervisor's driver, as a virtual GPU tells it to its guest.
 *
 * @param driverVersion such as {@code 460.16}; null if not told
 * @param driverBranch such as {@code r460_00}; null if not told
 */
public record VgpuHost(@Nullable String driverVersion, @Nullable String driverBranch) {}
