package io.gpureclaimer.exporter.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.LastKnown;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectedDevicesTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Reading UTIL = new Reading(DcgmField.DEV_GPU_UTIL, 7);
  private static final Reading HEALTH = new Reading(DcgmField.EXP_GPU_HEALTH_STATUS, 0);
  private static final Gpu WHOLE = new Gpu(0, new GpuUuid("GPU-0"), "00000000:10:00.0", "A100");
  private static final Gpu DIVIDED = new Gpu(1, new GpuUuid("GPU-1"), "00000000:20:00.0", "A100");
  private static final InstanceSample FIRST = instance(3);
  private static final InstanceSample SECOND = instance(5);

  @Test
  void leavesEverything_whenNothingIsSaid() {
    assertThat(selected("f")).isEqualTo(all());
  }

  @Test
  void leavesWholeGpus() {
    assertThat(selected("g:1"))
        .isEqualTo(of(whole(List.of(HEALTH)), divided(List.of(UTIL, HEALTH), List.of())));
  }

  @Test
  void leavesInstances_andHealthOfAllGpus() {
    assertThat(selected("i:9"))
        .isEqualTo(of(whole(List.of(HEALTH)), divided(List.of(HEALTH), List.of(SECOND))));
  }

  @Test
  void leavesBoth() {
    assertThat(selected("g:0+i"))
        .isEqualTo(
            of(whole(List.of(UTIL, HEALTH)), divided(List.of(HEALTH), List.of(FIRST, SECOND))));
  }

  @Test
  void leavesASilentGpuAsItIs() {
    var silent = of(new GpuSample.Lost(0, WHOLE));

    assertThat(SelectedDevices.of(Selection.of("g:1"), MigValuePlacement.ONCE, silent))
        .isEqualTo(silent);
  }

  @Test
  void selectsWhatIsKnownOfALostGpu_asItsReadings() {
    var xid = new Reading(DcgmField.DEV_XID_ERRORS, 79);
    var lost = of(new GpuSample.Lost(0, WHOLE, new LastKnown(List.of(xid, HEALTH), Map.of())));
    var health = of(new GpuSample.Lost(0, WHOLE, new LastKnown(List.of(HEALTH), Map.of())));

    assertThat(SelectedDevices.of(Selection.of("g:0"), MigValuePlacement.ONCE, lost))
        .isEqualTo(lost);
    assertThat(SelectedDevices.of(Selection.of("g:1"), MigValuePlacement.ONCE, lost))
        .isEqualTo(health);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          g:0-2    | GPU 2 is selected and not there; there are 2 GPUs and 2 instances
          i:9-10   | instance 10 is selected and not there; there are 2 GPUs and 2 instances
          g:1-4095 | GPU 2-4095 are selected and not there; there are 2 GPUs and 2 instances
          g:7+i:99 | GPU 7, instance 99 are selected and not there; there are 2 GPUs and 2 instances
          """)
  void reportsWhatIsNotThere(String selection, String line) {
    assertThat(SelectedDevices.describe(unmatched(selection, Selection.NOTHING, all()), all()))
        .isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource({"f", "g", "i", "g:0", "i:8"})
  void reportsNothing_whenAllIsThere(String selection) {
    assertThat(unmatched(selection, Selection.NOTHING, all())).isEqualTo(Selection.NOTHING);
  }

  @Test
  void keepsWhatWasKnown_whileAGpuIsSilent() {
    var silent = of(new GpuSample.Lost(0, WHOLE));

    for (String selection : List.of("i:3", "i")) {
      assertThat(unmatched(selection, Selection.NOTHING, silent)).isEqualTo(Selection.NOTHING);
      var before = Selection.of(selection);
      assertThat(unmatched(selection, before, silent)).isEqualTo(before);
    }
  }

  @Test
  void matchesNothing_onANodeWithoutGpus() {
    assertThat(unmatched("g+i", Selection.NOTHING, of())).isEqualTo(Selection.of("g+i"));
  }

  private static Selection unmatched(String selection, Selection before, Snapshot all) {
    return SelectedDevices.unmatched(Selection.of(selection), before, all);
  }

  @Test
  void leavesOutOfADividedGpu_whatItsInstancesReport() {
    var used = new Reading(DcgmField.DEV_FB_USED, 40);
    var free = new Reading(DcgmField.DEV_FB_FREE, 41);
    var silent =
        new InstanceSample(
            FIRST.instance(), List.of(), Set.of(DcgmField.DEV_FB_USED, DcgmField.DEV_FB_FREE));
    var divided = divided(List.of(UTIL, used, free), List.of(silent, SECOND));

    assertThat(SelectedDevices.of(Selection.of("f"), MigValuePlacement.ONCE, of(divided)))
        .isEqualTo(of(divided(List.of(UTIL), List.of(silent, SECOND))));
    assertThat(SelectedDevices.of(Selection.of("g"), MigValuePlacement.ONCE, of(divided)))
        .isEqualTo(of(divided(List.of(UTIL, used, free), List.of())));
  }

  @ParameterizedTest
  @CsvSource({"f", "i"})
  void repeatsTheGpusValuesOnItsInstances_whichStandForIt_whenAsked(String selection) {
    var used = new Reading(DcgmField.DEV_FB_USED, 40);
    var all = of(divided(List.of(UTIL, used, HEALTH), List.of(FIRST, SECOND)));

    assertThat(SelectedDevices.of(Selection.of(selection), MigValuePlacement.REPEATED, all))
        .isEqualTo(of(divided(List.of(HEALTH), List.of(instance(3, UTIL), instance(5, UTIL)))));
  }

  @Test
  void repeatsNothing_ofAGpuThatIsWhole_orThatIsSelectedItself() {
    assertThat(
            SelectedDevices.of(
                Selection.of("f"), MigValuePlacement.REPEATED, of(whole(List.of(UTIL, HEALTH)))))
        .isEqualTo(of(whole(List.of(UTIL, HEALTH))));
    assertThat(SelectedDevices.of(Selection.of("g"), MigValuePlacement.REPEATED, all()))
        .isEqualTo(selected("g"));
  }

  @Test
  void repeatsNoValueOfTheGpu_whereAnInstanceFailedToReportItsOwn() {
    var used = new Reading(DcgmField.DEV_FB_USED, 40);
    var silent = new InstanceSample(FIRST.instance(), List.of(), Set.of(DcgmField.DEV_FB_USED));

    assertThat(
            SelectedDevices.of(
                Selection.of("f"),
                MigValuePlacement.REPEATED,
                of(divided(List.of(used), List.of(silent)))))
        .isEqualTo(of(divided(List.of(), List.of(silent))));
  }

  private static Snapshot selected(String selection) {
    return SelectedDevices.of(Selection.of(selection), MigValuePlacement.ONCE, all());
  }

  private static Snapshot all() {
    return of(whole(List.of(UTIL, HEALTH)), divided(List.of(UTIL, HEALTH), List.of(FIRST, SECOND)));
  }

  private static Snapshot of(GpuSample... gpus) {
    return new Snapshot(
        NOON,
        "node-a",
        new DriverState.Up("570"),
        List.of(gpus),
        Map.of(),
        PassReport.NOTHING_ASKED);
  }

  private static Answered whole(List<Reading> readings) {
    return new Answered(WHOLE, NOON, readings);
  }

  private static Answered divided(List<Reading> readings, List<InstanceSample> instances) {
    return new Answered(DIVIDED, NOON, readings, Set.of(), Map.of(), instances);
  }

  private static InstanceSample instance(int id, Reading... more) {
    var readings = new ArrayList<>(List.of(more));
    readings.add(new Reading(DcgmField.DEV_FB_USED, id));
    return new InstanceSample(
        new MigInstance(DIVIDED.uuid(), id, "1g.5gb", List.of("MIG-" + id)), readings, Set.of());
  }
}
