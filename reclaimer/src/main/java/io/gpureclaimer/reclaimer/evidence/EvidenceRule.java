package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Evidence.Active;
import io.gpureclaimer.reclaimer.evidence.Evidence.EvidenceSign;
import io.gpureclaimer.reclaimer.evidence.Evidence.Idle;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Turns an observation of a pod into evidence. A doubt about one of its GPUs is a doubt about the
 * pod, even while another GPU works: such a record may belong to another pod.
 */
public final class EvidenceRule {

  /** A GPU whose last activity is no older than this, by its node's clock, works. */
  public static final Duration ACTIVE_WITHIN = Duration.ofSeconds(15);

  private final DeviceChecks checks;

  public EvidenceRule(EvidenceLimits limits) {
    checks = new DeviceChecks(limits);
  }

  /**
   * Weighs what was seen of one pod.
   *
   * @param uid the pod's UID
   * @param devices how many GPUs and instances it requests; at least one
   * @param look whether the raw utilization must be there
   */
  public Evidence weigh(Observation observation, String uid, int devices, FetchScope look) {
    if (devices < 1) {
      throw new IllegalArgumentException("a pod is weighed by its GPUs, was " + devices);
    }
    return switch (observation) {
      case Blind(var reason) -> new Unknown(UnknownCause.BLIND, reason);
      case Seen seen ->
          seen.pod(uid)
              .map(pod -> weigh(seen.at(), pod, devices, look))
              .orElseGet(() -> new Unknown(UnknownCause.NOT_SEEN, "no agent has reported on it"));
    };
  }

  private Evidence weigh(Instant at, PodActivity pod, int requested, FetchScope look) {
    List<DeviceActivity> devices = pod.devices();
    Optional<Evidence> doubtOrWork =
        otherCount(pod, requested)
            .or(
                () ->
                    devices.stream()
                        .flatMap(each -> checks.of(each, at, look).stream())
                        .findFirst())
            .<Evidence>map(unknown -> unknown)
            .or(() -> workOf(devices))
            .or(() -> missingSignal(devices, look));
    return doubtOrWork.orElseGet(() -> idle(devices));
  }

  private static Optional<Unknown> otherCount(PodActivity pod, int requested) {
    int observed = pod.entities().size();
    if (observed != requested) {
      return otherCount(observed + " of " + requested + " GPUs observed");
    }
    int held = pod.deviceCount().orElse(requested);
    return held == requested
        ? Optional.empty()
        : otherCount(
            observed + " of " + requested + " GPUs observed, and its agent says it holds " + held);
  }

  private static Optional<Unknown> otherCount(String reason) {
    return Optional.of(new Unknown(UnknownCause.GPU_COUNT, reason));
  }

  private static Optional<Active> workOf(List<DeviceActivity> devices) {
    return devices.stream()
        .flatMap(device -> work(device).stream())
        .max(Comparator.comparing(Active::lastActive));
  }

  private static Optional<Active> work(DeviceActivity device) {
    Optional<Instant> recent = device.lastActive().filter(last -> isRecent(device, last));
    if (recent.isPresent()) {
      return Optional.of(new Active(recent.get(), EvidenceSign.RECORD));
    }
    return device.recentUtilization().orElse(0) > 0
        ? Optional.of(new Active(device.observedUntil(), EvidenceSign.UTILIZATION))
        : Optional.empty();
  }

  private static boolean isRecent(DeviceActivity device, Instant lastActive) {
    return Duration.between(lastActive, device.observedUntil()).compareTo(ACTIVE_WITHIN) <= 0;
  }

  private static Optional<Unknown> missingSignal(List<DeviceActivity> devices, FetchScope look) {
    return switch (look) {
      case ALL_PODS -> Optional.empty();
      case ONE_POD ->
          devices.stream()
              .filter(device -> device.recentUtilization().isEmpty())
              .findFirst()
              .map(
                  device ->
                      new Unknown(
                          UnknownCause.ONE_SIGNAL,
                          "the raw utilization of " + device.device() + " is missing"));
    };
  }

  /** Only instants of one node's clock are subtracted from each other. */
  private static Idle idle(List<DeviceActivity> devices) {
    Instant since =
        devices.stream().map(EvidenceRule::idleStart).max(Comparator.naturalOrder()).orElseThrow();
    Duration length =
        devices.stream()
            .map(device -> Duration.between(idleStart(device), device.observedUntil()))
            .min(Comparator.naturalOrder())
            .orElseThrow();
    return new Idle(since, length);
  }

  private static Instant idleStart(DeviceActivity device) {
    return device
        .lastActive()
        .filter(last -> last.isAfter(device.observedSince()))
        .orElse(device.observedSince());
  }
}
