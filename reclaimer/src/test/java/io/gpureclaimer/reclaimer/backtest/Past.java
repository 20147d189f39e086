package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.activity.DeviceActivity;
import io.gpureclaimer.reclaimer.activity.EvidenceLimits;
import io.gpureclaimer.reclaimer.activity.Observation.Seen;
import io.gpureclaimer.reclaimer.activity.PastLook;
import io.gpureclaimer.reclaimer.activity.PodActivity;
import io.gpureclaimer.reclaimer.activity.PodName;
import io.gpureclaimer.reclaimer.policy.Judge;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.Scene;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What the tests of looks at the past play with: a moment, a judge, and words for looks. */
final class Past {
  static final Instant START = Scene.NOW;
  static final Duration IDLE_AFTER = Duration.ofMinutes(10);
  static final Duration WARN_BEFORE = Duration.ofMinutes(3);
  static final Duration MAX_AGE = Duration.ofMinutes(2);

  static final Judge JUDGE =
      new Judge(
          new PolicyDefaults(
              Mode.REPORT,
              IDLE_AFTER,
              Duration.ofMinutes(1),
              Duration.ofDays(1),
              WARN_BEFORE,
              Duration.ofMinutes(1),
              Duration.ofDays(1),
              Scene.DEFAULTS.classes(),
              Duration.ZERO,
              Duration.ofDays(7),
              Scene.DEFAULTS.vetoes(),
              Optional.empty()),
          new EvidenceLimits(MAX_AGE, MAX_AGE, Duration.ofSeconds(30)));

  private Past() {}

  /** A look that saw one pod of namespace ml, or nobody. */
  static PastLook look(Instant at, String uid, String name, List<DeviceActivity> devices) {
    if (devices.isEmpty()) {
      return new PastLook(new Seen(at, Map.of(), List.of()), Map.of());
    }
    var pod = new PodActivity(uid, devices, OptionalInt.of(devices.size()), List.of());
    return new PastLook(
        new Seen(at, Map.of(uid, pod), List.of()), Map.of(uid, new PodName("ml", name)));
  }
}
