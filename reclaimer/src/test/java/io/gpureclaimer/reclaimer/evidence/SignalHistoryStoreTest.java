package io.gpureclaimer.reclaimer.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.AgentSignal;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.SignalHistoryStore.SignalHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SignalHistoryStoreTest {
  private static final Instant START = Instant.parse("2026-03-02T08:00:00Z");
  private static final Signal QUIET = new Signal(SignalKind.POWER, 60, 125, "power");
  private static final Signal WORK = new Signal(SignalKind.POWER, 300, 125, "power");
  private static final Signal CPU = new Signal(SignalKind.CPU, 3, 0.5, "cores");

  private final SignalHistoryStore memory = new SignalHistoryStore(Duration.ofMinutes(2));

  @Test
  void listensFromTheFirstLookOn() {
    look(0, QUIET);

    assertThat(look(60, QUIET)).contains(new SignalHistory(START, Map.of()));
  }

  @Test
  void remembersWhenEachSignalLastSaidWork() {
    look(0, WORK);
    look(60, WORK, CPU);
    look(120, QUIET, CPU);

    assertThat(look(180, QUIET))
        .contains(
            new SignalHistory(START, Map.of(SignalKind.POWER, at(60), SignalKind.CPU, at(120))));
  }

  @Test
  void knowsWhatAnAgentRecorded_beforeTheFirstLook() {
    assertThat(lookAtAgent(0, at(-600)))
        .contains(new SignalHistory(START, Map.of(SignalKind.POWER, at(-600))));
    assertThat(lookAtAgent(60, at(20)))
        .contains(new SignalHistory(START, Map.of(SignalKind.POWER, at(20))));
    assertThat(lookAtAgent(90, at(-600)))
        .contains(new SignalHistory(START, Map.of(SignalKind.POWER, at(20))));
  }

  /** A board whose agent no longer records its power, and of which no query reports any. */
  @Test
  void beginsAgain_whenWhatAnAgentRecordedIsLost() {
    lookAtAgent(0, START);

    look(60);
    look(120);
    assertThat(look(121)).contains(new SignalHistory(at(121), Map.of()));
  }

  @Test
  void beginsAgain_afterTooLongWithoutMeasurement() {
    look(0, WORK);
    memory.update(new Blind("Prometheus is down"));

    assertThat(look(121, QUIET)).contains(new SignalHistory(at(121), Map.of()));
  }

  @Test
  void goesOn_whenTheSourceWasBlindForAMoment() {
    look(0, WORK);
    memory.update(new Blind("Prometheus is down"));

    assertThat(look(120, QUIET))
        .contains(new SignalHistory(START, Map.of(SignalKind.POWER, START)));
  }

  @Test
  void goesOn_whenThePodWasMissingForAMoment() {
    look(0, WORK);
    memory.update(new Seen(at(60), Map.of(), List.of()));

    assertThat(look(120, QUIET))
        .contains(new SignalHistory(START, Map.of(SignalKind.POWER, START)));
  }

  @Test
  void beginsAgain_whenABoardIsSilentForTooLong() {
    look(0, QUIET, QUIET);
    look(60, QUIET);
    look(120, QUIET);

    assertThat(look(150, QUIET)).contains(new SignalHistory(at(150), Map.of()));
  }

  @Test
  void goesOn_whenABoardWasSilentForAMoment() {
    look(0, QUIET, QUIET);
    look(60, QUIET);

    assertThat(look(120, QUIET, QUIET)).contains(new SignalHistory(START, Map.of()));
  }

  /** Without a signal of a board, which would be missed. */
  @Test
  void beginsAgain_whenSignalsWereLeftOutForTooLong() {
    look(0);
    leftOut(60, LeftOut.RECORD_AND_SIGNALS);
    leftOut(120, LeftOut.RECORD_AND_SIGNALS);

    assertThat(look(150)).contains(new SignalHistory(at(150), Map.of()));
  }

  @Test
  void goesOn_whileOnlyTheRecordIsLeftOut() {
    look(0);
    leftOut(60, LeftOut.RECORD);
    leftOut(120, LeftOut.RECORD, CPU);

    assertThat(look(150)).contains(new SignalHistory(START, Map.of(SignalKind.CPU, at(120))));
  }

  private void leftOut(long seconds, LeftOut what, Signal... signals) {
    PodActivity pod = new PodActivity("a", List.of()).leftOut(what, List.of(signals));
    var _ = memory.update(new Seen(at(seconds), Map.of("a", pod), List.of()));
  }

  @Test
  void beginsAgain_whenTheTimeOfTheSourceGoesBackwards() {
    look(60, WORK);

    assertThat(look(0, QUIET)).contains(new SignalHistory(START, Map.of()));
  }

  @Test
  void remembersNothing_whereNothingListens() {
    Seen seen = seen(0, WORK);

    assertThat(SignalHistoryStore.none().update(seen)).isEqualTo(seen);
  }

  private Optional<SignalHistory> look(long seconds, Signal... signals) {
    return memory.update(seen(seconds, signals)) instanceof Seen seen
        ? seen.pod("a").orElseThrow().signalHistory()
        : Optional.empty();
  }

  private Optional<SignalHistory> lookAtAgent(long seconds, Instant signal) {
    var device =
        new DeviceActivity(
            Entity.whole(new GpuUuid("GPU-1")),
            Optional.empty(),
            at(-3_600),
            at(seconds),
            at(seconds),
            OptionalDouble.empty(),
            Optional.of(
                new AgentSignal(signal, Optional.of(SignalKind.POWER), Set.of(SignalKind.POWER))));
    var pod = new PodActivity("a", List.of(device));
    return memory.update(new Seen(at(seconds), Map.of("a", pod), List.of())) instanceof Seen seen
        ? seen.pod("a").orElseThrow().signalHistory()
        : Optional.empty();
  }

  private static Seen seen(long seconds, Signal... signals) {
    var pod = new PodActivity("a", List.of(), OptionalInt.empty(), List.of(signals));
    return new Seen(at(seconds), Map.of("a", pod), List.of());
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }
}
