package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Finds what makes the record of one GPU unfit as evidence. */
final class DeviceChecks {
  private static final Duration TOLERANCE = Duration.ofSeconds(1);

  private final EvidenceLimits limits;

  DeviceChecks(EvidenceLimits limits) {
    this.limits = limits;
  }

  /**
   * The first doubt about a record.
   *
   * @param at the source's time of the answer
   * @param look what for; a second look must be fresher
   */
  Optional<Unknown> of(DeviceActivity device, Instant at, FetchScope look) {
    return stale(device, at, look).or(() -> impossible(device, at)).or(() -> skewed(device));
  }

  private Optional<Unknown> stale(DeviceActivity device, Instant at, FetchScope look) {
    Duration limit =
        switch (look) {
          case ALL_PODS -> limits.maxAge();
          case ONE_POD -> limits.maxAgeToAct();
        };
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
    return doubt(UnknownCause.IMPOSSIBLE, device, "its record contradicts itself: " + what);
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
