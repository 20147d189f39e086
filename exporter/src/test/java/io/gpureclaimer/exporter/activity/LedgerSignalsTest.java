package io.gpureclaimer.exporter.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When signals of a board are recorded to show work. */
class LedgerSignalsTest {
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final Gpu H100 =
      new Gpu(0, new GpuUuid("GPU-0"), "00000000:19:00.0", "NVIDIA H100 80GB HBM3");
  private static final Holder POD = new Holder("ml", "train-0", "main", "uid-1");
  private static final Holder OTHER = new Holder("ml", "train-1", "main", "uid-2");
  private static final Reading IDLE = new Reading(DcgmField.DEV_GPU_UTIL, 0);
  private static final Set<BoardSignal> POWER = Set.of(BoardSignal.POWER);
  private static final Set<BoardSignal> MEMORY = Set.of(BoardSignal.MEMORY);

  private final Ledger ledger = new Ledger(ActivityRules.ALL, Duration.ofSeconds(5));

  @Test
  void recordsThePassInWhichThePowerWasAboveTheLimitOfTheModel() {
    pass(0, power(60));
    pass(1, power(156.3));

    assertThat(pass(2, power(156.2))).isEqualTo(new LastSignal(at(1), BoardSignal.POWER, POWER));
  }

  @Test
  void beginsWithTheObservation_whileNothingWasShown() {
    pass(0, power(60));

    assertThat(pass(1, power(60))).isEqualTo(new LastSignal(T0, null, POWER));
  }

  @Test
  void recordsNothing_ofABoardWhoseIdlePowerIsNotKnown() {
    Gpu other = new Gpu(0, H100.uuid(), null, "NVIDIA Z9");

    assertThat(pass(0, other, POD, IDLE, power(900))).isEqualTo(new LastSignal(T0, null, Set.of()));
  }

  @Test
  void recordsTheBusierDirectionOfTraffic() {
    pass(0, traffic(DcgmField.PROF_PCIE_TX_BYTES, 0), traffic(DcgmField.PROF_PCIE_RX_BYTES, 6e7));

    assertThat(
            pass(
                1,
                traffic(DcgmField.PROF_PCIE_TX_BYTES, 5e7),
                traffic(DcgmField.PROF_PCIE_RX_BYTES, 0)))
        .isEqualTo(new LastSignal(T0, BoardSignal.PCIE, Set.of(BoardSignal.PCIE)));
    assertThat(pass(2, traffic(DcgmField.PROF_NVLINK_RX_BYTES, 6e7), power(10)).signal())
        .isEqualTo(BoardSignal.NVLINK);
  }

  @Test
  void comparesMemoryWithTheLeastOfTenMinutes() {
    pass(0, memory(1_000));
    for (int second = 5; second <= 60; second += 5) {
      pass(second, memory(1_064));
    }
    LastSignal grown = pass(65, memory(1_065));
    for (int second = 70; second < 780; second += 5) {
      pass(second, memory(1_065));
    }

    assertThat(grown).isEqualTo(new LastSignal(at(65), BoardSignal.MEMORY, MEMORY));
    assertThat(pass(780, memory(1_065)).at()).isBetween(at(600), at(660));
  }

  @Test
  void countsASignalAsShown_whileItIsNoLongerReported() {
    pass(0, power(60));
    LastSignal missedOnce = pass(5);
    LastSignal missing = pass(6);

    assertThat(missedOnce).isEqualTo(new LastSignal(T0, null, POWER));
    assertThat(missing).isEqualTo(new LastSignal(at(6), BoardSignal.POWER, POWER));
    assertThat(pass(7, power(60))).isEqualTo(missing);
  }

  @Test
  void doesNotTakeANegativeValueForAReading() {
    pass(0, power(60));
    pass(5, power(-1));

    assertThat(pass(6, power(-1)).at()).isEqualTo(at(6));
  }

  @Test
  void forgetsWhatWasShown_whenTheObservationBeginsAgain() {
    pass(0, power(300));

    assertThat(pass(10, power(60))).isEqualTo(new LastSignal(at(10), null, POWER));
  }

  /** What the predecessor of a pod did does not count for it. */
  @Test
  void attributesNothingToThePodThatFollows() {
    pass(0, H100, POD, IDLE, power(300));

    assertThat(pass(1, H100, OTHER, IDLE, power(60))).isEqualTo(new LastSignal(at(1), null, POWER));
  }

  @Test
  void countsWhatWasShown_whileTheWorkOfTheDeviceWasNotKnown() {
    pass(0, power(60));
    observe(1, H100, POD, power(300));

    assertThat(pass(2, power(60))).isEqualTo(new LastSignal(at(1), BoardSignal.POWER, POWER));
  }

  @Test
  void beginsAgain_whenTheClockIsSetBack() {
    pass(100, power(300));

    assertThat(pass(0, power(60))).isEqualTo(new LastSignal(T0, null, POWER));
  }

  @Test
  void readsTheMemoryAloneOfAnInstance() {
    var part = new MigInstance(H100.uuid(), 1, "3g.40gb", List.of("MIG-a"));
    Reading engines = new Reading(DcgmField.PROF_GR_ENGINE_ACTIVE, 0);
    var divided =
        new Answered(
            H100,
            T0,
            List.of(power(300)),
            Set.of(),
            Map.of(),
            List.of(new InstanceSample(part, List.of(memory(5), engines, power(300)), Set.of())));

    assertThat(
            ledger
                .observe(snapshot(T0, divided, Map.of(part.entity(), List.of(POD))))
                .getFirst()
                .signal())
        .isEqualTo(new LastSignal(T0, null, MEMORY));
  }

  private LastSignal pass(long second, Reading... readings) {
    return pass(
        second,
        H100,
        POD,
        Stream.concat(Stream.of(IDLE), Arrays.stream(readings)).toArray(Reading[]::new));
  }

  private LastSignal pass(long second, Gpu gpu, Holder holder, Reading... readings) {
    return observe(second, gpu, holder, readings).getFirst().signal();
  }

  private List<DeviceObservation> observe(
      long second, Gpu gpu, Holder holder, Reading... readings) {
    return ledger.observe(
        snapshot(
            at(second),
            new Answered(gpu, at(second), List.of(readings)),
            Map.of(Entity.whole(gpu.uuid()), List.of(holder))));
  }

  private static Snapshot snapshot(Instant at, Answered answer, Map<Entity, List<Holder>> holders) {
    return new Snapshot(
        at,
        "node-a",
        new DriverState.Up("570"),
        List.of(answer),
        holders,
        PassReport.NOTHING_ASKED);
  }

  private static Reading power(double watts) {
    return new Reading(DcgmField.DEV_POWER_USAGE, watts);
  }

  private static Reading memory(double mebibytes) {
    return new Reading(DcgmField.DEV_FB_USED, mebibytes);
  }

  private static Reading traffic(DcgmField field, double bytes) {
    return new Reading(field, bytes);
  }

  private static Instant at(long second) {
    return T0.plusSeconds(second);
  }
}
