package io.gpureclaimer.exporter.exposition.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.exposition.TestSamples;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LabelStyleTest {
  private static final String SERIES = DcgmField.DEV_POWER_USAGE.metricName() + "{";

  @Test
  void classic() {
    assertThat(series(LabelStyle.CLASSIC))
        .isEqualTo(
            "gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\","
                + "pci_bus_id=\"00000000:19:00.0\",device=\"nvidia0\","
                + "modelName=\"NVIDIA H100 80GB HBM3\",hostname=\"node-a\","
                + "DCGM_FI_DRIVER_VERSION=\"570.86.15\","
                + "container=\"main\",namespace=\"ml\",pod=\"train-0\"} 412.377100");
  }

  @Test
  void oldNames() {
    assertThat(series(new LabelStyle(true, Optional.of("hostname"), false)))
        .contains(
            "gpu=\"0\",uuid=\"GPU-",
            "container_name=\"main\",pod_name=\"train-0\",pod_namespace=\"ml\"}")
        .doesNotContain("UUID=", ",pod=", ",namespace=", ",container=");
  }

  @Test
  void anotherNameForTheNode_orNone() {
    assertThat(series(new LabelStyle(false, Optional.of("Hostname"), false)))
        .contains(",Hostname=\"node-a\",")
        .doesNotContain("hostname=");
    assertThat(series(new LabelStyle(false, Optional.empty(), false)))
        .contains("modelName=\"NVIDIA H100 80GB HBM3\",DCGM_FI_DRIVER_VERSION=")
        .doesNotContain("node-a");
  }

  @Test
  void noBlanksInTheModelName() {
    assertThat(series(new LabelStyle(false, Optional.of("hostname"), true)))
        .contains("modelName=\"NVIDIA-H100-80GB-HBM3\"");
  }

  @Test
  void leavesTheLedgerAlone() {
    assertThat(rendered(new LabelStyle(true, Optional.empty(), true)))
        .contains(
            "gpu_pod_observed_since_timestamp_seconds{UUID=\"GPU-11111111-2222-3333-4444-"
                + "555555555555\",gpu=\"0\",hostname=\"node-a\",container=\"main\","
                + "namespace=\"ml\",pod=\"train-0\"");
  }

  private static String series(LabelStyle style) {
    return rendered(style)
        .lines()
        .filter(line -> line.startsWith(SERIES))
        .findFirst()
        .orElseThrow()
        .substring(SERIES.length());
  }

  private static String rendered(LabelStyle style) {
    return new String(
        new SnapshotText(new SeriesStyle(style, HolderStyle.PLAIN))
            .render(TestSamples.twoGpus(), ClassicCounters.set(), TestSamples.ledger(), new byte[0])
            .toByteArray(),
        StandardCharsets.UTF_8);
  }
}
