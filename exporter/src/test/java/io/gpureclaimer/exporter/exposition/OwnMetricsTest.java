package io.gpureclaimer.exporter.exposition;

import static io.gpureclaimer.exporter.exposition.Samples.FIRST;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.attribution.Attribution.Reload;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnMetricsTest {
  private final OwnMetrics own = new OwnMetrics("1.2.3", "25.0.3");

  @Test
  void tellsWhatAPassBrought() {
    own.observe(Samples.twoGpus(), Reload.NOT_CONFIGURED);

    assertThat(lines())
        .contains(
            "gpu_exporter_build_info{version=\"1.2.3\",java=\"25.0.3\",} 1.0",
            "gpu_exporter_driver_up 1.0",
            "gpu_exporter_gpu_up{gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\",} 1.0",
            "gpu_exporter_gpu_up{gpu=\"1\",UUID=\"GPU-66666666-7777-8888-9999-aaaaaaaaaaaa\",} 1.0",
            "gpu_exporter_pass_duration_seconds_count 1.0",
            "gpu_exporter_pass_duration_seconds_sum 0.012",
            "gpu_exporter_passes_total{outcome=\"ok\",} 1.0",
            "gpu_exporter_passes_total{outcome=\"partial\",} 0.0",
            "gpu_exporter_last_pass_timestamp_seconds 1.79526240025E9",
            "gpu_exporter_nvml_errors_total{code=\"timeout\",} 2.0",
            "gpu_exporter_collector_failures_total{collector=\"power\",} 2.0",
            "gpu_exporter_collector_seconds_total{collector=\"power\",} 0.003");
  }

  @Test
  void tellsWhichGpusDoNotAnswer() {
    Snapshot snapshot = Samples.of(List.of(new Hung(0, FIRST), new Lost(3, null)), Map.of());
    own.observe(snapshot, Reload.NOT_CONFIGURED);

    assertThat(lines())
        .contains(
            "gpu_exporter_gpu_up{gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\",} 0.0",
            "gpu_exporter_gpu_hung{gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\",} 1.0",
            "gpu_exporter_gpu_up{gpu=\"3\",UUID=\"unknown\",} 0.0",
            "gpu_exporter_gpu_hung{gpu=\"3\",UUID=\"unknown\",} 0.0",
            "gpu_exporter_passes_total{outcome=\"partial\",} 1.0");
  }

  @Test
  void tellsOfThePodsFile_onlyWhenThereIsOne() {
    own.observe(Samples.twoGpus(), Reload.NOT_CONFIGURED);
    assertThat(lines()).noneMatch(line -> line.contains("pods_file"));

    own.observe(Samples.twoGpus(), Reload.FAILED);
    assertThat(lines()).contains("gpu_exporter_pods_file_last_reload_successful 0.0");
  }

  @Test
  void tellsOfTheProcess_andOfNoCreationTimes() {
    assertThat(lines())
        .anyMatch(line -> line.startsWith("process_resident_memory_bytes "))
        .noneMatch(line -> line.contains("_created"));
  }

  private List<String> lines() {
    return new String(own.text(), UTF_8).lines().toList();
  }
}
