package io.gpureclaimer.exporter.exposition.own;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.exposition.TestSamples;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class XidMetricsTest {
  private static final String LABELS =
      "gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\",hostname=\"node-a\",";
  private static final String MODEL =
      "modelName=\"NVIDIA H100 80GB HBM3\",pci_bus_id=\"00000000:19:00.0\",namespace=\"ml\","
          + "pod=\"train-0\",container=\"main\",";

  private final XidLog log = new XidLog(Duration.ofMinutes(5));
  private final OwnMetrics own =
      new OwnMetrics("1", "25", new XidMetrics(log, () -> TestSamples.NOON));

  @Test
  void saysNothing_ofAGpuThatIsNotSubscribedTo() {
    own.observe(TestSamples.twoGpus(), new NotConfigured());

    assertThat(lines()).isEmpty();
  }

  @Test
  void beginsAtZero() {
    log.begin(TestSamples.FIRST.uuid());
    own.observe(TestSamples.twoGpus(), new NotConfigured());

    assertThat(lines()).containsExactly("gpu_xids_total{" + LABELS + "} 0.0");
  }

  @Test
  void countsByCode_andKeepsThem_whenTheGpuIsLost() {
    log.begin(TestSamples.FIRST.uuid());
    log.add(TestSamples.FIRST.uuid(), 79, TestSamples.NOON);
    log.add(TestSamples.FIRST.uuid(), 31, TestSamples.NOON.minusSeconds(5));
    log.add(TestSamples.FIRST.uuid(), 79, TestSamples.NOON);
    own.observe(
        TestSamples.of(
            List.of(new Lost(0, TestSamples.FIRST)),
            Map.of(Entity.instance(TestSamples.FIRST.uuid(), 2), List.of(TestSamples.TRAIN))),
        new NotConfigured());
    own.observe(TestSamples.of(List.of(), Map.of()), new NotConfigured());

    assertThat(lines())
        .containsExactly(
            "gpu_last_xid_timestamp_seconds{" + LABELS + "} 1.79526240025E9",
            "gpu_xid_errors_total{" + LABELS + "xid=\"31\"," + MODEL + "} 1.0",
            "gpu_xid_errors_total{" + LABELS + "xid=\"79\"," + MODEL + "} 2.0",
            "gpu_xids_total{" + LABELS + "} 3.0");
  }

  @Test
  void saysNoZero_ofAGpuThatIsNoLongerSubscribedTo() {
    log.begin(TestSamples.FIRST.uuid());
    own.observe(TestSamples.twoGpus(), new NotConfigured());
    assertThat(own.text())
        .asString(UTF_8)
        .contains("gpu_exporter_xid_listening{" + LABELS + "} 1.0");

    log.end(TestSamples.FIRST.uuid());

    assertThat(lines()).isEmpty();
    assertThat(own.text())
        .asString(UTF_8)
        .contains("gpu_exporter_xid_listening{" + LABELS + "} 0.0");
    log.add(TestSamples.FIRST.uuid(), 79, TestSamples.NOON);
    assertThat(lines()).contains("gpu_xids_total{" + LABELS + "} 1.0");
  }

  private List<String> lines() {
    return new String(own.text(), UTF_8)
        .lines()
        .filter(line -> line.startsWith("gpu_xid") || line.startsWith("gpu_last"))
        .sorted()
        .toList();
  }
}
