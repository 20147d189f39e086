package io.gpureclaimer.reclaimer.rightsize;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a workload requested and used over a period.
 *
 * @param kind of its top owner; {@code Pod} without one
 * @param isGone whether its pod no longer exists, so that its owner is unknown
 * @param devicesPerPod most devices that one pod held
 * @param usedPerPod most devices of one pod that worked at any time in the period
 * @param devices most devices that its pods held at once
 * @param usedAtOnce most devices that worked within the same step
 * @param pods mean number of its pods while it had any
 * @param podsAtOnce most pods of which a device worked within the same step
 * @param time what its devices did
 * @param deviceKind what the devices are
 * @param peaks the highest values of its devices
 */
public record WorkloadUsage(
    String namespace,
    String kind,
    String name,
    boolean isGone,
    int devicesPerPod,
    int usedPerPod,
    int devices,
    int usedAtOnce,
    int pods,
    int podsAtOnce,
    DeviceTime time,
    DeviceKind deviceKind,
    UsagePeaks peaks) {

  /** What a pod requested. */
  public enum DeviceKind {
    /** Whole GPUs. */
    GPU,
    /** MIG instances, or these and whole GPUs. */
    MIG_INSTANCE,
    /** Replicas of shared GPUs, or what is not counted. */
    SHARED
  }

  /**
   * Time of devices, added up.
   *
   * @param held by pods
   * @param active of that, while the device worked
   * @param unknown of that, while its activity was unknown; never counted as unused
   */
  public record DeviceTime(Duration held, Duration active, Duration unknown) {
    DeviceTime plus(DeviceTime other) {
      return new DeviceTime(
          held.plus(other.held), active.plus(other.active), unknown.plus(other.unknown));
    }

    /** Time in which the devices are known to have done nothing. */
    public Duration unused() {
      return held.minus(active).minus(unknown);
    }

    /** Share of the time in which the activity was unknown, from 0 to 1. */
    public double unknownShare() {
      return held.isZero() ? 0 : (double) unknown.toSeconds() / held.toSeconds();
    }
  }

  /**
   * The highest values of its devices. What is not known of all of them is absent.
   *
   * @param memoryMebibytes most memory in use on one device
   * @param totalMebibytes memory of the device
   * @param smActive share of the multiprocessors that were active, mean of the busiest hour
   * @param utilization share of time in which a kernel ran, mean of the busiest hour
   * @param model of the devices; absent if there are several
   */
  public record UsagePeaks(
      OptionalDouble memoryMebibytes,
      OptionalDouble totalMebibytes,
      OptionalDouble smActive,
      OptionalDouble utilization,
      Optional<String> model) {}
}
