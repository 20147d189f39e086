package io.gpureclaimer.exporter.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.counters.Counter;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.counters.CounterSet.LabelRow;
import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.event.Level;

@Isolated("reads the log")
class CounterRowCheckTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Gpu GPU = new Gpu(0, new GpuUuid("GPU-0"), "00000000:10:00.0", "T4");
  private static final UnservedRow SWITCH =
      new UnservedRow(7, "DCGM_FI_DEV_NVSWITCH_TEMP", "belongs to an NVSwitch");
  private static final String GPM =
      "read through NVML's GPM, on Hopper and newer, if the driver permits it";
  private static final UnservedRow SM =
      new UnservedRow(
          null, "DCGM_FI_PROF_SM_ACTIVE", "no device of this node reports it; it is " + GPM);
  private static final CounterSet SET =
      new CounterSet(
          List.of(gauge(DcgmField.DEV_GPU_UTIL), gauge(DcgmField.PROF_SM_ACTIVE)),
          List.of(new LabelRow(DcgmField.DRIVER_VERSION, "DCGM_FI_DRIVER_VERSION")),
          List.of(SWITCH));
  private static final int ENOUGH_PASSES = 10;

  @RegisterExtension private final LogLines log = new LogLines(CounterRowCheck.class.getName());
  private final CounterRowCheck check = new CounterRowCheck("--collectors", Level.WARN);

  @Test
  void listsRowsThatNoDeviceReports() {
    assertThat(check.see(SET, without())).containsExactly(SWITCH, SM);
    assertThat(check.see(SET, with())).containsExactly(SWITCH);
  }

  @Test
  void listsALabelThatNoDeviceHas() {
    var nameless = new Answered(GPU, NOON, List.of(new Reading(DcgmField.DEV_GPU_UTIL, 0)));

    assertThat(check.see(SET, snapshot(nameless)))
        .extracting(UnservedRow::name)
        .containsExactly(SWITCH.name(), SM.name(), "DCGM_FI_DRIVER_VERSION");
  }

  @Test
  void saysThatTheDriverFailed_whereItDid() {
    var failing = answered(Set.of(DcgmField.PROF_SM_ACTIVE));

    assertThat(check.see(SET, snapshot(failing)))
        .containsExactly(SWITCH, new UnservedRow(null, SM.name(), "the driver failed to read it"));
  }

  @Test
  void keepsWhatWasKnown_whileNoGpuResponds() {
    check.see(SET, without());

    assertThat(check.see(SET, snapshot(new GpuSample.Lost(0, GPU)))).containsExactly(SWITCH, SM);
    assertThat(check.see(SET, snapshot())).containsExactly(SWITCH, SM);
  }

  @Test
  void warnsOncePerChange() {
    for (int pass = 0; pass < 2 * ENOUGH_PASSES; pass++) {
      check.see(SET, without());
    }
    check.see(SET, with());
    check.see(SET, with());

    assertThat(log.lines())
        .containsExactly(
            "WARN --collectors: DCGM_FI_DEV_NVSWITCH_TEMP in line 7 is not served: it belongs to"
                + " an NVSwitch",
            "WARN --collectors: no GPU of this node reports DCGM_FI_PROF_SM_ACTIVE: " + GPM,
            "INFO --collectors: DCGM_FI_PROF_SM_ACTIVE reported again");
  }

  @Test
  void doesNotWarn_whereACounterNeedsSomePasses_orAGpuIsSilent() {
    for (int pass = 0; pass < ENOUGH_PASSES; pass++) {
      check.see(SET, snapshot(answered(Set.of()), new GpuSample.Lost(1, null)));
    }
    check.see(SET, without());
    check.see(SET, with());

    assertThat(log.lines()).hasSize(1);
  }

  private static Snapshot without() {
    return snapshot(answered(Set.of()));
  }

  private static Snapshot with() {
    return snapshot(answered(Set.of(), new Reading(DcgmField.PROF_SM_ACTIVE, 0)));
  }

  private static Answered answered(Set<DcgmField> failed, Reading... more) {
    var readings = new ArrayList<>(Arrays.asList(more));
    readings.add(new Reading(DcgmField.DEV_GPU_UTIL, 0));
    return new Answered(
        GPU, NOON, readings, failed, Map.of(DcgmField.DRIVER_VERSION, "570"), List.of());
  }

  private static Snapshot snapshot(GpuSample... gpus) {
    return new Snapshot(
        NOON,
        "node-a",
        new DriverState.Up("570"),
        List.of(gpus),
        Map.of(),
        PassReport.NOTHING_ASKED);
  }

  private static Counter gauge(DcgmField field) {
    return new Counter(field, field.metricName(), MetricType.GAUGE, "help");
  }
}
