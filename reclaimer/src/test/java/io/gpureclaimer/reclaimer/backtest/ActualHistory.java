package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.verdict.SimulatedLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a pod with two GPUs really did, tick by tick, and what became known of it: an agent samples
 * some of the ticks, and a Prometheus scrapes some of these.
 */
final class ActualHistory {
  static final Duration TICK = Duration.ofSeconds(10);

  /** A Prometheus repeats a sample for so long. */
  static final Duration LOOK_BACK = Duration.ofMinutes(5);

  /**
   * Some ticks during which nothing changes.
   *
   * @param first whether the first GPU works
   * @param second whether the second GPU works
   * @param watched whether the agent runs
   * @param scraped whether the Prometheus takes what the agent says
   * @param ticks how many
   */
  record HistoryPeriod(
      boolean first, boolean second, boolean watched, boolean scraped, int ticks) {}

  /** One tick. */
  record Tick(Instant at, boolean first, boolean second, boolean watched, boolean scraped) {
    boolean isKnown() {
      return watched && scraped;
    }
  }

  private final List<Tick> ticks = new ArrayList<>();
  private final List<List<DeviceActivity>> samples = new ArrayList<>();

  ActualHistory(List<HistoryPeriod> stretches) {
    Instant now = BacktestScenario.START;
    for (HistoryPeriod stretch : stretches) {
      for (int i = 0; i < stretch.ticks(); i++) {
        now = now.plus(TICK);
        ticks.add(
            new Tick(now, stretch.first(), stretch.second(), stretch.watched(), stretch.scraped()));
      }
    }
    record();
  }

  private void record() {
    var one = new SimulatedLedger("1");
    var two = new SimulatedLedger("2");
    List<DeviceActivity> newest = List.of();
    for (Tick tick : ticks) {
      if (tick.watched()) {
        one.observe(tick.first(), tick.at(), tick.at());
        two.observe(tick.second(), tick.at(), tick.at());
      }
      if (tick.isKnown()) {
        newest =
            Stream.of(one, two).map(SimulatedLedger::record).flatMap(Optional::stream).toList();
      }
      samples.add(newest);
    }
  }

  List<Tick> ticks() {
    return ticks;
  }

  /** What a look at the end of a tick sees. */
  HistoricalObservation look(int index, String uid) {
    Instant at = ticks.get(index).at();
    List<DeviceActivity> newest = samples.get(index);
    boolean stale =
        newest.stream()
            .anyMatch(device -> Duration.between(device.sampledAt(), at).compareTo(LOOK_BACK) >= 0);
    return BacktestScenario.look(at, uid, uid, stale ? List.of() : newest);
  }
}
