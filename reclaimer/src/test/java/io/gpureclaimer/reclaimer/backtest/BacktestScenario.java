package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Fixture of backtest tests: a time, a judge, and builders of observations. */
final class BacktestScenario {
  static final Instant START = JudgeScenario.NOW;

  private BacktestScenario() {}

  /** An observation of one pod of namespace ml, or of none. */
  static HistoricalObservation look(
      Instant at, String uid, String name, List<DeviceActivity> devices) {
    if (devices.isEmpty()) {
      return new HistoricalObservation(new Seen(at, Map.of(), List.of()), Map.of());
    }
    var pod = new PodActivity(uid, devices, OptionalInt.of(devices.size()), List.of());
    return new HistoricalObservation(
        new Seen(at, Map.of(uid, pod), List.of()), Map.of(uid, new PodName("ml", name)));
  }
}
