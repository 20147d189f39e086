package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.deviceplugin.allocation.preference.SharePolicy;

/**
 * Rules for allocation requests.
 *
 * @param response what comes with a device, and how
 * @param policy which shares a container gets
 * @param oneShareAtMost whether a container is refused that asks for more than one share
 */
public record AllocationRules(
    ResponseSettings response, SharePolicy policy, boolean oneShareAtMost) {}
