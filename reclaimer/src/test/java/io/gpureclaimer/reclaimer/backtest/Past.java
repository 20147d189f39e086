package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.PastObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.verdict.Scene;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What the tests of looks at the past play with: a moment, a judge, and words for looks. */
final class Past {
  static final Instant START = Scene.NOW;

  private Past() {}

  /** A look that saw one pod of namespace ml, or nobody. */
  static PastObservation look(Instant at, String uid, String name, List<DeviceActivity> devices) {
    if (devices.isEmpty()) {
      return new PastObservation(new Seen(at, Map.of(), List.of()), Map.of());
    }
    var pod = new PodActivity(uid, devices, OptionalInt.of(devices.size()), List.of());
    return new PastObservation(
        new Seen(at, Map.of(uid, pod), List.of()), Map.of(uid, new PodName("ml", name)));
  }
}
