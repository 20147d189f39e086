package io.gpureclaimer.reclaimer.activity;

import io.gpureclaimer.core.device.GpuUuid;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an agent recorded of one GPU in the hands of one pod.
 *
 * <p>The first three instants are of the node's clock, so that durations between them are true
 * whatever other clocks say; {@code sampledAt} is of the source's clock.
 *
 * @param device the GPU
 * @param lastActive when the GPU was last seen working for this pod; absent if never since {@code
 *     observedSince}
 * @param observedSince start of the unbroken observation
 * @param observedUntil the newest observation
 * @param sampledAt when the source took these values from the agent
 * @param recentUtilization highest raw utilization of the last two minutes in percent; only a
 *     second look asks for it
 */
public record DeviceActivity(
    GpuUuid device,
    Optional<Instant> lastActive,
    Instant observedSince,
    Instant observedUntil,
    Instant sampledAt,
    OptionalDouble recentUtilization) {}
