package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.AgentSignal;
import io.gpureclaimer.reclaimer.evidence.Evidence.Active;
import io.gpureclaimer.reclaimer.evidence.Evidence.EvidenceSign;
import io.gpureclaimer.reclaimer.evidence.Evidence.Idle;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import java.time.Duration;
import java.time.Instant;
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

  /** Of a pod that has its devices for itself. */
  public Evidence weigh(Observation observation, String uid, int devices, FetchScope look) {
    return weigh(observation, uid, devices, false, look);
  }

  /**
   * Weighs what was seen of one pod.
   *
   * @param uid the pod's UID
   * @param devices how many GPUs and instances it requests; at least one
   * @param shares whether other pods may hold the same device. Then only the record of an agent
   *     counts: with other formats, a series of the device may be of one of its pods
   * @param look whether the raw utilization must be there
   */
  public Evidence weigh(
      Observation observation, String uid, int devices, boolean shares, FetchScope look) {
    if (devices < 1) {
      throw new IllegalArgumentException("a pod is weighed by its GPUs, was " + devices);
    }
    return switch (observation) {
      case Blind(var reason) -> new Unknown(UnknownCause.BLIND, reason);
      case Seen seen ->
          seen.pod(uid)
              .map(pod -> weigh(seen.at(), pod, devices, shares, look))
              .orElseGet(() -> new Unknown(UnknownCause.NOT_SEEN, "no agent has reported on it"));
    };
  }

  private Evidence weigh(
      Instant at, PodActivity pod, int requested, boolean shares, FetchScope look) {
    List<DeviceActivity> devices = pod.devices();
    Optional<Evidence> doubtOrWork =
        pod.doubt()
            .or(() -> shares ? otherCountOfReplicas(pod, requested) : otherCount(pod, requested))
            .or(() -> doubt(pod, at, look))
            .<Evidence>map(unknown -> unknown)
            .or(() -> workOf(devices))
            .or(() -> missingSignal(devices, look));
    return doubtOrWork.orElseGet(() -> idle(devices));
  }

  /** The first. Loops here and below, because every cycle asks all devices. */
  private Optional<Unknown> doubt(PodActivity pod, Instant at, FetchScope look) {
    Duration maxAge = checks.maxAge(pod, look);
    for (DeviceActivity device : pod.devices()) {
      Optional<Unknown> doubt = checks.of(device, at, maxAge);
      if (doubt.isPresent()) {
        return doubt;
      }
    }
    return Optional.empty();
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

  /** Several replicas may be of one device or of several; the agent knows of how many. */
  private static Optional<Unknown> otherCountOfReplicas(PodActivity pod, int replicas) {
    if (pod.deviceCount().isEmpty()) {
      return otherCount(
          "it shares its GPU, and no agent of ours says how many it holds (gpu_pod_device_count)");
    }
    int held = pod.deviceCount().getAsInt();
    int observed = pod.entities().size();
    if (held < 1 || held > replicas) {
      return otherCount("its agent says it holds " + held + " GPUs with " + replicas + " replicas");
    }
    return observed == held
        ? Optional.empty()
        : otherCount(observed + " of " + held + " GPUs observed");
  }

  private static Optional<Unknown> otherCount(String reason) {
    return Optional.of(new Unknown(UnknownCause.GPU_COUNT, reason));
  }

  private static Optional<Active> workOf(List<DeviceActivity> devices) {
    Optional<Active> last = Optional.empty();
    for (DeviceActivity device : devices) {
      Optional<Active> work = work(device);
      if (work.isPresent()
          && (last.isEmpty() || work.get().lastActive().isAfter(last.get().lastActive()))) {
        last = work;
      }
    }
    return last;
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
    Instant since = idleStart(devices.getFirst());
    Duration length = Duration.between(since, devices.getFirst().observedUntil());
    for (DeviceActivity device : devices) {
      Instant start = idleStart(device);
      Duration idleFor = Duration.between(start, device.observedUntil());
      since = start.isAfter(since) ? start : since;
      length = idleFor.compareTo(length) < 0 ? idleFor : length;
    }
    return new Idle(since, length);
  }

  private static Instant idleStart(DeviceActivity device) {
    return device
        .lastActive()
        .filter(last -> last.isAfter(device.observedSince()))
        .orElse(device.observedSince());
  }

  /**
   * How good an observation must be to count as evidence.
   *
   * @param maxAge the newest sample of every GPU may be this old
   * @param maxAgeToAct the same right before an act
   * @param maxSkew a node's clock and the source's clock may differ by this much
   */
  public record EvidenceLimits(Duration maxAge, Duration maxAgeToAct, Duration maxSkew) {
    public EvidenceLimits {
      if (!maxAge.isPositive()) {
        throw new IllegalArgumentException("maxAge must be positive, was " + maxAge);
      }
      if (!maxAgeToAct.isPositive() || maxAgeToAct.compareTo(maxAge) > 0) {
        throw new IllegalArgumentException(
            "maxAgeToAct must be positive and at most maxAge " + maxAge + ", was " + maxAgeToAct);
      }
      if (!maxSkew.isPositive()) {
        throw new IllegalArgumentException("maxSkew must be positive, was " + maxSkew);
      }
    }
  }

  /** Finds what makes the record of one GPU unfit as evidence. */
  static final class DeviceChecks {
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** Longer than any fetch leaves out a record. */
    private static final Duration LEFT_OUT_AT_MOST = Duration.ofMinutes(30);

    private final EvidenceLimits limits;

    DeviceChecks(EvidenceLimits limits) {
      this.limits = limits;
    }

    /**
     * How old the newest sample of a pod may be. A record that was left out is older; no warning or
     * action follows from it.
     *
     * @param look what for; a second look must be fresher
     */
    Duration maxAge(PodActivity pod, FetchScope look) {
      return switch (look) {
        case ALL_PODS -> pod.leftOut().isPresent() ? LEFT_OUT_AT_MOST : limits.maxAge();
        case ONE_POD -> limits.maxAgeToAct();
      };
    }

    /**
     * The first doubt about a record.
     *
     * @param at the source's time of the answer
     * @param maxAge how old its newest sample may be
     */
    Optional<Unknown> of(DeviceActivity device, Instant at, Duration maxAge) {
      return stale(device, at, maxAge).or(() -> impossible(device, at)).or(() -> skewed(device));
    }

    private static Optional<Unknown> stale(DeviceActivity device, Instant at, Duration limit) {
      Duration age = Duration.between(device.sampledAt(), at);
      return age.compareTo(limit) > 0
          ? doubt(
              UnknownCause.STALE,
              device,
              "the newest sample is " + seconds(age) + " old, " + allowed(limit))
          : Optional.empty();
    }

    private Optional<Unknown> skewed(DeviceActivity device) {
      Duration apart = Duration.between(device.observedUntil(), device.sampledAt()).abs();
      return apart.compareTo(limits.maxSkew()) > 0
          ? doubt(
              UnknownCause.CLOCK_SKEW,
              device,
              "observed until "
                  + device.observedUntil()
                  + " by the node's clock, sampled at "
                  + device.sampledAt()
                  + ": "
                  + seconds(apart)
                  + " apart, "
                  + allowed(limits.maxSkew())
                  + "; the clocks differ or the agent stopped observing")
          : Optional.empty();
    }

    private static Optional<Unknown> impossible(DeviceActivity device, Instant at) {
      Instant until = device.observedUntil();
      if (until.isBefore(device.observedSince())) {
        return contradiction(
            device, "observed until " + until + ", before it began at " + device.observedSince());
      }
      Optional<Instant> later = device.lastActive().filter(last -> isAfter(last, until));
      if (later.isPresent()) {
        return contradiction(
            device, "last active at " + later.get() + ", after the last observation at " + until);
      }
      Optional<Instant> signal =
          device.signal().map(AgentSignal::at).filter(last -> isAfter(last, until));
      if (signal.isPresent()) {
        return contradiction(
            device, "last signal at " + signal.get() + ", after the last observation at " + until);
      }
      if (isAfter(device.sampledAt(), at)) {
        return contradiction(
            device, "sampled at " + device.sampledAt() + ", after the answer of " + at);
      }
      double utilization = device.recentUtilization().orElse(0);
      return utilization >= 0
          ? Optional.empty()
          : contradiction(device, "a recent utilization of " + utilization + " %");
    }

    private static boolean isAfter(Instant one, Instant other) {
      return Duration.between(other, one).compareTo(TOLERANCE) > 0;
    }

    private static Optional<Unknown> contradiction(DeviceActivity device, String what) {
      return Optional.of(contradiction(device.device(), what));
    }

    static Unknown contradiction(Entity device, String what) {
      return new Unknown(
          UnknownCause.IMPOSSIBLE, device + ": its record contradicts itself: " + what);
    }

    private static Optional<Unknown> doubt(UnknownCause cause, DeviceActivity device, String what) {
      return Optional.of(new Unknown(cause, device.device() + ": " + what));
    }

    private static String allowed(Duration limit) {
      return "at most " + seconds(limit) + " is allowed";
    }

    private static String seconds(Duration duration) {
      return duration.toSeconds() + "s";
    }
  }
}
