package io.gpureclaimer.exporter.activity;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_DEC_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_ENC_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_GPU_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_MEM_COPY_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.PROF_DRAM_ACTIVE;
import static io.gpureclaimer.common.vocabulary.DcgmField.PROF_GR_ENGINE_ACTIVE;
import static io.gpureclaimer.common.vocabulary.DcgmField.PROF_SM_ACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerTest {
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);
  private static final Instant T0 = Instant.parse("2026-11-21T12:00:00Z");
  private static final Gpu GPU = gpu(0);
  private static final Holder POD = new Holder("ml", "train-0", "main", "uid-1");
  private static final Holder OTHER = new Holder("ml", "train-1", "main", "uid-2");

  private final Ledger ledger = new Ledger(ActivityRules.ALL, LONGEST_GAP);

  @Test
  void beginsToObserve_whenAPodIsSeenOnADevice() {
    assertThat(pass(0, idle(), POD)).containsExactly(new DeviceObservation(GPU, POD, T0, T0, null));
  }

  @Test
  void remembersTheLastActivePass() {
    pass(0, busy(), POD);

    assertThat(pass(1, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, T0, at(1), T0));
  }

  @Test
  void seesWorkInTheCodecsToo() {
    var encoding =
        new Answered(GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0), new Reading(DEV_ENC_UTIL, 1)));
    var decoding =
        new Answered(GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0), new Reading(DEV_DEC_UTIL, 1)));

    assertThat(pass(0, encoding, POD)).containsExactly(new DeviceObservation(GPU, POD, T0, T0, T0));
    assertThat(pass(1, decoding, POD))
        .containsExactly(new DeviceObservation(GPU, POD, T0, at(1), at(1)));
  }

  @Test
  void seesWorkInCopiesOfMemory_howeverSmall() {
    var tolerant = new Ledger(new ActivityRules(Set.of(ActivityField.values()), 5, 5), LONGEST_GAP);
    var copying =
        new Answered(
            GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0), new Reading(DEV_MEM_COPY_UTIL, 1)));

    assertThat(
            evidence(
                tolerant,
                snapshot(T0, List.of(copying), Map.of(Entity.whole(GPU.uuid()), List.of(POD)))))
        .containsExactly(new DeviceObservation(GPU, POD, T0, T0, T0));
  }

  /** By the default thresholds, each field that is read counts, also those of instances. */
  @ParameterizedTest
  @MethodSource("fields")
  void seesWorkInEveryFieldThatIsRead(DcgmField field) {
    double one = ActivityField.THRESHOLD_PERCENT / ActivityField.percentPerUnit(field);
    var part = new MigInstance(GPU.uuid(), 1, "3g.40gb", List.of("MIG-a"));
    var onAll = Map.of(Entity.whole(GPU.uuid()), List.of(POD), part.entity(), List.of(POD));
    for (boolean works : List.of(true, false)) {
      var reading = new Reading(field, works ? one : 0);
      var whole =
          field == DEV_GPU_UTIL ? List.of(reading) : List.of(new Reading(DEV_GPU_UTIL, 0), reading);
      var instance = new InstanceSample(part, instanceReadings(reading), Set.of());
      var divided = new Answered(GPU, T0, List.of(), Set.of(), Map.of(), List.of(instance));

      for (Answered sample : List.of(new Answered(GPU, T0, whole), divided)) {
        var byDefault =
            new Ledger(new ActivityRules(Set.of(ActivityField.values()), 1, 1), LONGEST_GAP);
        assertThat(evidence(byDefault, snapshot(T0, List.of(sample), onAll)))
            .extracting(seen -> seen.lastActive().isPresent())
            .containsExactly(works);
      }
    }
  }

  static List<DcgmField> fields() {
    return Arrays.stream(ActivityField.values()).flatMap(ActivityField::fields).toList();
  }

  private static List<Reading> instanceReadings(Reading reading) {
    return reading.field() == PROF_GR_ENGINE_ACTIVE
        ? List.of(reading)
        : List.of(new Reading(PROF_GR_ENGINE_ACTIVE, 0), reading);
  }

  @Test
  void doesNotObserve_whenAFieldThatIsReadFailed() {
    var failed =
        new Answered(
            GPU,
            T0,
            List.of(new Reading(DEV_GPU_UTIL, 0)),
            Set.of(DcgmField.named("DCGM_FI_PROF_PIPE_FP64_ACTIVE").orElseThrow()));

    assertThat(pass(0, failed, POD)).isEmpty();
  }

  @Test
  void entersALateAnswer_withTheTimeAtWhichItWasAsked() {
    pass(0, idle(), POD);
    assertThat(evidence(ledger, late(at(3), at(2), 7, POD)))
        .containsExactly(new DeviceObservation(GPU, POD, T0, at(2), at(2)));
  }

  @Test
  void doesNotCountForANewHolder_workFromBeforeItHeldTheGpu() {
    pass(0, busy(), OTHER);

    assertThat(evidence(ledger, late(at(3), at(1), 100, POD))).isEmpty();
    assertThat(pass(4, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, at(4), at(4), null));
  }

  @Test
  void observesANewHolderOfAGpuThatIsAlwaysAskedAhead() {
    assertThat(evidence(ledger, late(at(3), at(2), 0, POD))).isEmpty();
    assertThat(evidence(ledger, late(at(4), at(3), 0, POD)))
        .containsExactly(new DeviceObservation(GPU, POD, at(3), at(3), null));
  }

  @Test
  void goesOn_whenWhatFailedIsNoSignOfWork() {
    pass(0, busy(), POD);
    var withoutPower =
        new Answered(
            GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0)), Set.of(DcgmField.DEV_POWER_USAGE));

    assertThat(pass(1, withoutPower, POD))
        .containsExactly(new DeviceObservation(GPU, POD, T0, at(1), T0));
  }

  @Test
  void atWorkMeansFromTheThresholdOn() {
    var tolerant = new Ledger(new ActivityRules(Set.of(ActivityField.values()), 5, 5), LONGEST_GAP);

    assertThat(
            evidence(
                tolerant,
                snapshot(T0, List.of(using(4)), Map.of(Entity.whole(GPU.uuid()), List.of(POD)))))
        .containsExactly(new DeviceObservation(GPU, POD, T0, T0, null));
    assertThat(
            evidence(
                tolerant,
                snapshot(T0, List.of(using(5)), Map.of(Entity.whole(GPU.uuid()), List.of(POD)))))
        .containsExactly(new DeviceObservation(GPU, POD, T0, T0, T0));
  }

  @Test
  void keepsWatching_whenTheGapIsAsLongAsAllowed() {
    pass(0, busy(), POD);

    assertThat(pass(5, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, T0, at(5), T0));
  }

  @Test
  void beginsAgain_whenTheGapIsTooLong() {
    pass(0, busy(), POD);

    assertThat(pass(6, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, at(6), at(6), null));
  }

  @Test
  void beginsAgain_whenTheClockStepsBack() {
    pass(0, idle(), POD);
    pass(1, busy(), POD);

    assertThat(pass(0, idle(), POD)).containsExactly(new DeviceObservation(GPU, POD, T0, T0, null));
  }

  @Test
  void beginsAgain_whenTheClockStepsBackWhileTheGpuIsSilent() {
    pass(0, busy(), POD);
    for (int second = 1; second <= 30; second++) {
      pass(second, new Hung(0, GPU), POD);
    }
    pass(0, new Hung(0, GPU), POD);

    assertThat(pass(1, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, at(1), at(1), null));
  }

  @Test
  void observesANewHolder_whenTheClockStepsBackWithinAPass() {
    assertThat(evidence(ledger, late(at(100), at(0), 0, POD))).isEmpty();
    assertThat(pass(1, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, at(1), at(1), null));
  }

  @Test
  void beginsAgain_whenTheHolderChangedAndCameBack() {
    pass(0, busy(), POD);
    assertThat(pass(1, idle(), OTHER))
        .containsExactly(new DeviceObservation(GPU, OTHER, at(1), at(1), null));

    assertThat(pass(2, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, at(2), at(2), null));
  }

  @Test
  void takesAPodOfTheSameNameForAnother_whenItsUidDiffers() {
    pass(0, busy(), POD);
    var reborn = new Holder(POD.namespace(), POD.pod(), POD.container(), "uid-9");

    assertThat(pass(1, idle(), reborn))
        .containsExactly(new DeviceObservation(GPU, reborn, at(1), at(1), null));
  }

  @ParameterizedTest
  @MethodSource("unobserved")
  void reportsNothing_whenTheGpuDoesNotReportItsUtilization(GpuSample sample) {
    pass(0, busy(), POD);

    assertThat(pass(1, sample, POD)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("unobserved")
  void goesOn_whenTheGpuAnswersAgainInTime(GpuSample sample) {
    pass(0, busy(), POD);
    pass(1, sample, POD);

    assertThat(pass(2, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, T0, at(2), T0));
  }

  @ParameterizedTest
  @MethodSource("unobserved")
  void beginsAgain_whenTheGpuWasSilentForTooLong(GpuSample sample) {
    pass(0, busy(), POD);
    for (int second = 1; second <= 5; second++) {
      pass(second, sample, POD);
    }

    assertThat(pass(6, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, at(6), at(6), null));
  }

  static List<GpuSample> unobserved() {
    return List.of(
        new Lost(0, GPU),
        new Hung(0, GPU),
        new Failed(0, GPU, "timeout"),
        with(new UtilizationSamples.Failed("timeout"), new Reading(DEV_GPU_UTIL, 0)),
        new Answered(GPU, T0, List.of(new Reading(DEV_ENC_UTIL, 50))),
        new Answered(GPU, T0, List.of(new Reading(PROF_GR_ENGINE_ACTIVE, 0))),
        new Answered(GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0)), Set.of(DEV_ENC_UTIL)),
        new Answered(GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0)), Set.of(DEV_DEC_UTIL)),
        new Answered(GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0)), Set.of(DEV_MEM_COPY_UTIL)));
  }

  @Test
  void beginsAgain_whenTheDriverWasDownForTooLong() {
    pass(0, busy(), POD);
    for (int second = 1; second <= 5; second++) {
      assertThat(
              evidence(
                  ledger,
                  snapshot(at(second), List.of(), Map.of(Entity.whole(GPU.uuid()), List.of(POD)))))
          .isEmpty();
    }

    assertThat(pass(6, idle(), POD))
        .containsExactly(new DeviceObservation(GPU, POD, at(6), at(6), null));
  }

  @Test
  void keepsTheHoldersOfASharedDeviceApart() {
    pass(0, busy(), POD);
    var both = Map.of(Entity.whole(GPU.uuid()), List.of(POD, OTHER));

    assertThat(evidence(ledger, snapshot(at(1), List.of(idle()), both)))
        .containsExactly(
            new DeviceObservation(GPU, POD, T0, at(1), T0),
            new DeviceObservation(GPU, OTHER, at(1), at(1), null));
  }

  @Test
  void keepsTheDevicesOfOneHolderApart() {
    var second = gpu(1);
    var holders =
        Map.of(Entity.whole(GPU.uuid()), List.of(POD), Entity.whole(second.uuid()), List.of(POD));
    var idleSecond = new Answered(second, T0, List.of(new Reading(DEV_GPU_UTIL, 0)));

    assertThat(evidence(ledger, snapshot(T0, List.of(busy(), idleSecond), holders)))
        .containsExactly(
            new DeviceObservation(GPU, POD, T0, T0, T0),
            new DeviceObservation(second, POD, T0, T0, null));
  }

  @Test
  void addsUpHowLongTheDeviceWorked() {
    observe(0, new Reading(DEV_GPU_UTIL, 100));
    assertThat(observe(2, new Reading(DEV_GPU_UTIL, 25)).busy()).isEqualTo(Duration.ofMillis(500));
    assertThat(observe(3, new Reading(DEV_GPU_UTIL, 0)).busy()).isEqualTo(Duration.ofMillis(500));
    assertThat(observe(13, new Reading(DEV_GPU_UTIL, 100)).busy()).isEqualTo(Duration.ZERO);
  }

  @Test
  void trustsTheAverageOfTheEnginesMoreThanAMomentaryUtilization() {
    observe(0, new Reading(DEV_GPU_UTIL, 100));

    assertThat(
            observe(4, new Reading(DEV_GPU_UTIL, 100), new Reading(PROF_GR_ENGINE_ACTIVE, 0.25))
                .busy())
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aPeakBetweenTwoPassesIsASignOfWork_andTheMeanTheShareOfIt() {
    pass(0, idle(), POD);

    var seen = ledger.observe(snapshot(at(2), List.of(loaded(5, 100)), heldBy(POD))).getFirst();

    assertThat(seen.lastActive()).contains(at(2));
    assertThat(seen.busy()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void aPeakBelowTheThresholdIsNone() {
    var tolerant = new Ledger(new ActivityRules(Set.of(ActivityField.values()), 5, 5), LONGEST_GAP);

    assertThat(evidence(tolerant, snapshot(T0, List.of(loaded(2, 4)), heldBy(POD))))
        .containsExactly(new DeviceObservation(GPU, POD, T0, T0, null));
  }

  @Test
  void whatTheEnginesReportIsTheShare_whateverTheSamplesSay() {
    pass(0, idle(), POD);
    var both =
        with(
            new UtilizationSamples.Measured(50, 50),
            new Reading(DEV_GPU_UTIL, 0),
            new Reading(PROF_GR_ENGINE_ACTIVE, 0.25));

    assertThat(ledger.observe(snapshot(at(4), List.of(both), heldBy(POD))).getFirst().busy())
        .isEqualTo(Duration.ofSeconds(1));
  }

  /** As an H100 reports 1 ms of work on one multiprocessor in 1 s. */
  @Test
  void isActive_whenTheMultiprocessorsDidAnythingAtAll() {
    var byDefault =
        new Ledger(new ActivityRules(Set.of(ActivityField.values()), 1, 1), LONGEST_GAP);
    var shortKernel =
        new Answered(
            GPU,
            T0,
            List.of(
                new Reading(DEV_GPU_UTIL, 0),
                new Reading(PROF_GR_ENGINE_ACTIVE, 0.001065),
                new Reading(PROF_SM_ACTIVE, 0.000008)));

    assertThat(evidence(byDefault, snapshot(T0, List.of(shortKernel), heldBy(POD))))
        .containsExactly(new DeviceObservation(GPU, POD, T0, T0, T0));
  }

  /** Readers take a busy time that grows without activity for a contradiction. */
  @Test
  void noiseBelowTheThresholdAddsNoBusyTime() {
    var byDefault =
        new Ledger(new ActivityRules(Set.of(ActivityField.values()), 1, 1), LONGEST_GAP);
    var noise =
        new Answered(
            GPU,
            T0,
            List.of(new Reading(DEV_GPU_UTIL, 0), new Reading(PROF_GR_ENGINE_ACTIVE, 0.009)));
    evidence(byDefault, snapshot(T0, List.of(noise), heldBy(POD)));

    var seen = byDefault.observe(snapshot(at(4), List.of(noise), heldBy(POD))).getFirst();

    assertThat(seen.lastActive()).isEmpty();
    assertThat(seen.busy()).isZero();
  }

  @Test
  void theSamplesCountForNothing_whenTheUtilizationIsNoSign() {
    var onlyEngines =
        new Ledger(new ActivityRules(Set.of(ActivityField.GR_ENGINE), 0, 1), LONGEST_GAP);
    var engines = new Reading(PROF_GR_ENGINE_ACTIVE, 0);

    for (UtilizationSamples load :
        List.of(
            new UtilizationSamples.Measured(50, 100), new UtilizationSamples.Failed("timeout"))) {
      assertThat(evidence(onlyEngines, snapshot(T0, List.of(with(load, engines)), heldBy(POD))))
          .containsExactly(new DeviceObservation(GPU, POD, T0, T0, null));
    }
  }

  @Test
  void seesWorkInWhatOnlyTheProfilingCountersShow() {
    assertThat(
            observe(0, new Reading(DEV_GPU_UTIL, 0), new Reading(PROF_DRAM_ACTIVE, 0.02))
                .lastActive())
        .contains(T0);
  }

  @ParameterizedTest
  @MethodSource("impossible")
  void reportsNothing_whenASignCannotBeTrue(Answered sample) {
    assertThat(pass(0, sample, POD)).isEmpty();
  }

  static List<Answered> impossible() {
    var idle = new Reading(DEV_GPU_UTIL, 0);
    return List.of(
        new Answered(GPU, T0, List.of(idle, new Reading(PROF_GR_ENGINE_ACTIVE, -0.5))),
        new Answered(GPU, T0, List.of(idle, new Reading(PROF_DRAM_ACTIVE, -1e9))),
        new Answered(GPU, T0, List.of(new Reading(PROF_GR_ENGINE_ACTIVE, -0.001))));
  }

  @Test
  void takesNoOffence_whenWhatCannotBeTrueIsNoSign() {
    var onlyUtilization =
        new Ledger(new ActivityRules(Set.of(ActivityField.GPU_UTIL), 0, 1), LONGEST_GAP);
    var sample =
        new Answered(
            GPU, T0, List.of(new Reading(DEV_GPU_UTIL, 0), new Reading(PROF_DRAM_ACTIVE, -1)));

    assertThat(evidence(onlyUtilization, snapshot(T0, List.of(sample), heldBy(POD))))
        .containsExactly(new DeviceObservation(GPU, POD, T0, T0, null));
  }

  @Test
  void leavesOutSignsThatDoNotCount() {
    var onlyEngines =
        new Ledger(new ActivityRules(Set.of(ActivityField.GR_ENGINE), 0, 1), LONGEST_GAP);
    var noise =
        new Answered(
            GPU,
            T0,
            List.of(
                new Reading(DEV_GPU_UTIL, 100),
                new Reading(PROF_GR_ENGINE_ACTIVE, 0.009),
                new Reading(PROF_DRAM_ACTIVE, 0.5)));

    assertThat(evidence(onlyEngines, snapshot(T0, List.of(noise), heldBy(POD))))
        .containsExactly(new DeviceObservation(GPU, POD, T0, T0, null));
  }

  @Test
  void doesNotObserve_whenNoSignThatCountsIsReported() {
    var onlyEngines =
        new Ledger(new ActivityRules(Set.of(ActivityField.GR_ENGINE), 0, 1), LONGEST_GAP);
    var onlyUtilization =
        new Ledger(new ActivityRules(Set.of(ActivityField.GPU_UTIL), 0, 1), LONGEST_GAP);
    var engines = new Answered(GPU, T0, List.of(new Reading(PROF_GR_ENGINE_ACTIVE, 1)));

    assertThat(evidence(onlyEngines, snapshot(T0, List.of(busy()), heldBy(POD)))).isEmpty();
    assertThat(evidence(onlyUtilization, snapshot(T0, List.of(engines), heldBy(POD)))).isEmpty();
  }

  @Test
  void observesEachInstanceOfADividedGpu_byItsOwnSigns() {
    var first = new MigInstance(GPU.uuid(), 1, "3g.40gb", List.of("MIG-a"));
    var second = new MigInstance(GPU.uuid(), 2, "3g.40gb", List.of("MIG-b"));
    var silent = new MigInstance(GPU.uuid(), 5, "1g.10gb", List.of("MIG-c"));
    var divided =
        new Answered(
            GPU,
            T0,
            List.of(new Reading(DcgmField.DEV_GPU_TEMP, 40)),
            Set.of(),
            Map.of(),
            List.of(
                new InstanceSample(
                    first, List.of(new Reading(PROF_GR_ENGINE_ACTIVE, 0.5)), Set.of()),
                new InstanceSample(
                    second, List.of(new Reading(PROF_GR_ENGINE_ACTIVE, 0)), Set.of()),
                new InstanceSample(
                    silent, List.of(new Reading(DcgmField.DEV_FB_USED, 0)), Set.of())));
    var holders =
        Map.of(
            first.entity(), List.of(POD),
            second.entity(), List.of(OTHER),
            silent.entity(), List.of(OTHER),
            Entity.whole(GPU.uuid()), List.of(OTHER));

    assertThat(evidence(ledger, snapshot(T0, List.of(divided), holders)))
        .containsExactly(
            new DeviceObservation(GPU, first, POD, T0, T0, T0, Duration.ZERO),
            new DeviceObservation(GPU, second, OTHER, T0, T0, null, Duration.ZERO));
  }

  /** A device plugin that knows nothing of MIG gives a divided GPU as a whole. */
  @Test
  void doesNotJudgeADividedGpuAsAWhole() {
    var onlyEngines =
        new Ledger(new ActivityRules(Set.of(ActivityField.GR_ENGINE), 0, 1), LONGEST_GAP);
    var part = new MigInstance(GPU.uuid(), 1, "3g.40gb", List.of("MIG-a"));
    var engines = new Reading(PROF_GR_ENGINE_ACTIVE, 0);
    var divided =
        new Answered(
            GPU,
            T0,
            List.of(engines),
            Set.of(),
            Map.of(),
            List.of(new InstanceSample(part, List.of(engines), Set.of())));

    assertThat(evidence(onlyEngines, snapshot(T0, List.of(divided), heldBy(POD)))).isEmpty();
  }

  @Test
  void reportsNothingOfADeviceThatIsNotHeld() {
    assertThat(evidence(ledger, snapshot(T0, List.of(busy()), Map.of()))).isEmpty();
  }

  /** What it observed, without how long the devices worked. */
  private static List<DeviceObservation> evidence(Ledger ledger, Snapshot snapshot) {
    return ledger.observe(snapshot).stream()
        .map(
            seen ->
                new DeviceObservation(
                    seen.gpu(),
                    seen.part(),
                    seen.holder(),
                    seen.since(),
                    seen.until(),
                    seen.seenActive(),
                    Duration.ZERO))
        .toList();
  }

  private List<DeviceObservation> pass(long second, GpuSample sample, Holder holder) {
    return evidence(
        ledger,
        snapshot(at(second), List.of(sample), Map.of(Entity.whole(GPU.uuid()), List.of(holder))));
  }

  private DeviceObservation observe(long second, Reading... readings) {
    var sample = new Answered(GPU, T0, List.of(readings));
    return ledger.observe(snapshot(at(second), List.of(sample), heldBy(POD))).getFirst();
  }

  private static Map<Entity, List<Holder>> heldBy(Holder holder) {
    return Map.of(Entity.whole(GPU.uuid()), List.of(holder));
  }

  private static Snapshot snapshot(
      Instant at, List<GpuSample> gpus, Map<Entity, List<Holder>> holders) {
    return new Snapshot(
        at,
        "node-a",
        new DriverState.Up("570"),
        gpus.stream().map(gpu -> readAt(at, gpu)).toList(),
        holders,
        PassReport.NOTHING_ASKED);
  }

  /** A pass that found an answer to what had been asked before. */
  private static Snapshot late(Instant pass, Instant asked, double percent, Holder holder) {
    return new Snapshot(
        pass,
        "node-a",
        new DriverState.Up("570"),
        List.of(new Answered(GPU, asked, List.of(new Reading(DEV_GPU_UTIL, percent)))),
        heldBy(holder),
        PassReport.NOTHING_ASKED);
  }

  private static GpuSample readAt(Instant at, GpuSample sample) {
    return sample
            instanceof
            Answered(var gpu, _, var readings, var failed, var texts, var parts, var load, _)
        ? new Answered(gpu, at, readings, failed, texts, parts, load, Map.of())
        : sample;
  }

  private static Instant at(long second) {
    return T0.plusSeconds(second);
  }

  private static Answered idle() {
    return using(0);
  }

  private static Answered busy() {
    return using(100);
  }

  private static Answered using(double percent) {
    return new Answered(GPU, T0, List.of(new Reading(DEV_GPU_UTIL, percent)));
  }

  private static Answered loaded(double meanPercent, double peakPercent) {
    return with(
        new UtilizationSamples.Measured(meanPercent, peakPercent), new Reading(DEV_GPU_UTIL, 0));
  }

  private static Answered with(UtilizationSamples load, Reading... readings) {
    return new Answered(GPU, T0, List.of(readings), Set.of(), Map.of(), List.of(), load, Map.of());
  }

  private static Gpu gpu(int index) {
    return new Gpu(index, new GpuUuid("GPU-" + index), "00000000:1" + index + ":00.0", "H100");
  }
}
