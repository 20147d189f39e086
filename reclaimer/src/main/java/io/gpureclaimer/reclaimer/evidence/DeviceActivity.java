package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What was recorded of one GPU, or of one instance of a divided one, in the hands of one pod.
 *
 * <p>The first three instants are of one clock, the node's or the source's, so that durations
 * between them are true whatever other clocks say; {@code sampledAt} is of the source's clock.
 *
 * @param device the GPU or the instance
 * @param lastActive when it was last seen working for this pod; absent if never since {@code
 *     observedSince}
 * @param observedSince start of the unbroken observation
 * @param observedUntil the newest observation
 * @param sampledAt when the source took these values from the agent
 * @param recentUtilization highest raw utilization of the last two minutes in percent; only a
 *     second look asks for it
 */
public record DeviceActivity(
    Entity device,
    Optional<Instant> lastActive,
    Instant observedSince,
    Instant observedUntil,
    Instant sampledAt,
    OptionalDouble recentUtilization) {

  /** The same of a whole GPU. */
  public DeviceActivity(
      GpuUuid gpu,
      Optional<Instant> lastActive,
      Instant observedSince,
      Instant observedUntil,
      Instant sampledAt,
      OptionalDouble recentUtilization) {
    this(Entity.whole(gpu), lastActive, observedSince, observedUntil, sampledAt, recentUtilization);
  }

  /** The same, believed from an instant on only: what lies before may be another pod's. */
  DeviceActivity notBefore(Instant start) {
    Instant since = observedSince.isBefore(start) ? start : observedSince;
    return new DeviceActivity(
        device,
        lastActive.filter(last -> !last.isBefore(since)),
        since,
        observedUntil,
        sampledAt,
        recentUtilization);
  }
}
