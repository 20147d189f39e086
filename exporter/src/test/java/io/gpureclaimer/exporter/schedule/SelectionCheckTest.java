package io.gpureclaimer.exporter.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.config.CountersConfig;
import io.gpureclaimer.exporter.config.DevicesConfig;
import io.gpureclaimer.exporter.config.SettingNames;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.exposition.own.UnmatchedConfig;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log")
class SelectionCheckTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final String MISSING =
      "--devices: GPU 2 is selected and not there; there are 2 GPUs and 0 instances";

  @RegisterExtension private final LogLines log = new LogLines(SelectionCheck.class.getName());

  @Test
  void stopsTheStart_whenADeviceIsMissing() {
    var check = check("g:0-2", false, false);
    see(check, up(2));

    assertThat(problemOf(check)).isEqualTo(MISSING);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void letsItStart_whenAllAreThere_andWarnsWhenOneGoes() {
    var check = check("g:0-2", false, false);
    see(check, up(3));
    see(check, up(2));
    see(check, up(2));

    assertThat(problemOf(check)).isEmpty();
    assertThat(log.lines()).containsExactly("WARN " + MISSING);
  }

  @Test
  void letsItStart_whenTheDriverIsDown_andWarnsWhenItComes() {
    var check = check("g:0-2", false, false);
    see(check, down());
    see(check, up(2));

    assertThat(problemOf(check)).isEmpty();
    assertThat(log.lines()).containsExactly("WARN " + MISSING);
  }

  @Test
  void onlyWarns_whenTheyMayBeMissing() {
    var check = check("g:0-2", true, false);
    see(check, up(2));

    assertThat(problemOf(check)).isEmpty();
    assertThat(log.lines()).containsExactly("WARN " + MISSING);
  }

  @Test
  void stopsTheStart_whenInstancesAreSelectedAndThereAreNone() {
    var check = check("i", false, false);
    see(check, up(2));

    assertThat(problemOf(check))
        .isEqualTo("--devices: MIG instances are selected, and no GPU has any");
  }

  @Test
  void waitsForNothing_whenNothingIsSelectedByNumber() {
    assertThat(check("f", false, false).problemAtStart(Duration.ofDays(1))).isEmpty();
  }

  @Test
  void warnsOncePerChange_andSaysWhenItMatchesAgain() {
    var check = check("g:0,2-3", true, false);
    see(check, up(4));
    assertThat(see(check, up(3)).gpus()).hasValue("g:3");
    see(check, down());
    see(check, up(3));
    assertThat(see(check, up(2)).gpus()).hasValue("g:2-3");
    see(check, up(4));
    assertThat(see(check, up(4))).isEqualTo(UnmatchedConfig.NOTHING);

    String there = " selected and not there; there are ";
    assertThat(log.lines())
        .containsExactly(
            "WARN --devices: GPU 3 is" + there + "3 GPUs and 0 instances",
            "WARN --devices: GPU 2-3 are" + there + "2 GPUs and 0 instances",
            "INFO --devices: g:2-3 matches again");
  }

  @Test
  void warnsOfInstances_withoutStoppingTheStart_whereGpusAreSelectedToo() {
    var check = check("g+i", false, false);

    assertThat(see(check, up(2)).instances()).hasValue("i");
    assertThat(problemOf(check)).isEmpty();
    assertThat(log.lines())
        .containsExactly("WARN --devices: MIG instances are selected, and no GPU has any");
  }

  private static SelectionCheck check(
      String gpus, boolean mayBeMissing, boolean repeatOnInstances) {
    return new SelectionCheck(
        new DevicesConfig(gpus, mayBeMissing, repeatOnInstances),
        new CountersConfig(null, null, "classic", Duration.ofSeconds(1)),
        Optional.of(new SettingNames(text -> text.replace("devices.gpus", "--devices"))));
  }

  private static UnmatchedConfig see(SelectionCheck check, Snapshot snapshot) {
    return check.see(snapshot, new CounterSet(List.of(), List.of(), List.of()));
  }

  private static String problemOf(SelectionCheck check) {
    return check.problemAtStart(Duration.ZERO).orElse("");
  }

  private static Snapshot up(int gpus) {
    var samples = new ArrayList<GpuSample>();
    for (int index = 0; index < gpus; index++) {
      var gpu = new Gpu(index, new GpuUuid("GPU-" + index), "00000000:10:00.0", "T4");
      samples.add(new Answered(gpu, NOON, List.of()));
    }
    return snapshot(new DriverState.Up("570"), samples);
  }

  private static Snapshot down() {
    return snapshot(new DriverState.Down("no driver"), List.of());
  }

  private static Snapshot snapshot(DriverState driver, List<GpuSample> gpus) {
    return new Snapshot(NOON, "node-a", driver, gpus, Map.of(), PassReport.NOTHING_ASKED);
  }
}
