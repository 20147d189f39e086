package io.gpureclaimer.exporter.exposition.own;

import static io.gpureclaimer.exporter.exposition.TestSamples.FIRST;
import static io.gpureclaimer.exporter.exposition.TestSamples.SECOND;
import static io.gpureclaimer.exporter.exposition.TestSamples.TRAIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.exposition.TestSamples;
import io.gpureclaimer.exporter.sample.GpuSample.Failed;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.GpuSample.Lost;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OwnMetricsTest {
  private final OwnMetrics own = new OwnMetrics("1.2.3", "25.0.3", TestSamples.noXids());

  @Test
  void reportsWhatAPassBrought() {
    own.observe(TestSamples.twoGpus(), new NotConfigured());

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
            "gpu_exporter_nvml_errors_total{gpu=\"0\",call=\"nvmlDeviceGetPowerUsage\",code=\"timeout\",}"
                + " 2.0",
            "gpu_exporter_collector_failures_total{collector=\"power\",} 2.0",
            "gpu_exporter_collector_seconds_total{collector=\"power\",} 0.003");
  }

  @Test
  void reportsWhenEachSourceLastReportedSomething_andNothingOfOneThatNeverDid() {
    own.observe(TestSamples.of(List.of(new Hung(0, FIRST)), Map.of()), new NotConfigured());
    assertThat(lines())
        .noneMatch(line -> line.contains("source_last_success") && !line.startsWith("#"));

    own.observe(TestSamples.twoGpus(), new NotConfigured());
    own.heard(DataSource.POD_RESOURCES, TestSamples.NOON.plusSeconds(2));
    own.rendered(Duration.ofMillis(4));
    own.observe(TestSamples.of(List.of(new Hung(0, FIRST)), Map.of()), new NotConfigured());

    assertThat(lines())
        .contains(
            "gpu_exporter_source_last_success_timestamp_seconds{source=\"nvml\",} 1.79526240025E9",
            "gpu_exporter_source_last_success_timestamp_seconds{source=\"pod_resources\",}"
                + " 1.79526240225E9",
            "gpu_exporter_render_duration_seconds_sum 0.004")
        .noneMatch(line -> line.contains("{source=\"gpm\"") || line.contains("\"api_server\""));
  }

  @Test
  void reportsWhichGpusDoNotAnswer() {
    Snapshot snapshot =
        TestSamples.of(
            List.of(new Hung(0, FIRST), new Lost(3, null), new Failed(4, SECOND, "all failed")),
            Map.of(
                Entity.whole(FIRST.uuid()),
                List.of(TRAIN, new Holder("ml", "train-0", "side", TRAIN.uid())),
                Entity.whole(SECOND.uuid()),
                List.of(TRAIN, new Holder("ml", "other", "main", null))));
    own.observe(snapshot, new NotConfigured());

    assertThat(lines())
        .contains(
            "gpu_exporter_gpu_up{gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\",} 0.0",
            "gpu_exporter_gpu_hung{gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\",} 1.0",
            "gpu_exporter_gpu_up{gpu=\"3\",UUID=\"unknown\",} 0.0",
            "gpu_exporter_gpu_hung{gpu=\"3\",UUID=\"unknown\",} 0.0",
            "gpu_exporter_gpu_down{gpu=\"0\",UUID=\"GPU-11111111-2222-3333-4444-555555555555\","
                + "reason=\"hung\",modelName=\"NVIDIA H100 80GB HBM3\","
                + "pci_bus_id=\"00000000:19:00.0\",namespace=\"ml\",pod=\"train-0\",} 1.0",
            "gpu_exporter_gpu_down{gpu=\"3\",UUID=\"unknown\",reason=\"lost\",} 1.0",
            "gpu_exporter_gpu_down{gpu=\"4\",UUID=\"GPU-66666666-7777-8888-9999-aaaaaaaaaaaa\","
                + "reason=\"failed\",modelName=\"NVIDIA H100 80GB HBM3\","
                + "pci_bus_id=\"00000000:3B:00.0\",} 1.0",
            "gpu_exporter_passes_total{outcome=\"partial\",} 1.0");

    own.observe(TestSamples.twoGpus(), new NotConfigured());
    assertThat(lines()).noneMatch(line -> line.startsWith("gpu_exporter_gpu_down{"));
  }

  @Test
  void reportsThePodsFile_onlyWhenThereIsOne() {
    own.observe(TestSamples.twoGpus(), new NotConfigured());
    assertThat(lines()).noneMatch(line -> line.contains("pods_file"));

    own.observe(TestSamples.twoGpus(), new OfFile(false));
    assertThat(lines()).contains("gpu_exporter_pods_file_last_reload_successful 0.0");
  }

  @Test
  void reportsTheKubelet_onlyWhenItIsAsked() {
    own.observe(TestSamples.twoGpus(), new NotConfigured());
    assertThat(lines()).noneMatch(line -> line.contains("pod_resources"));

    own.observe(
        TestSamples.twoGpus(),
        new OfKubelet(
            new KubeletContact.Answering(),
            Map.of(),
            OptionalInt.of(0),
            new WatchState.NotEnabled()));
    assertThat(lines())
        .contains(
            "gpu_exporter_pod_resources_up 1.0", "gpu_exporter_pod_resources_unmapped_devices 0.0");

    own.observe(
        TestSamples.twoGpus(),
        new OfKubelet(
            new KubeletContact.Silent("gone"),
            Map.of("unavailable", 3L, "deadline_exceeded", 1L),
            OptionalInt.of(2),
            new WatchState.Synced()));
    assertThat(lines())
        .contains(
            "gpu_exporter_pod_resources_up 0.0",
            "gpu_exporter_pod_resources_unmapped_devices 2.0",
            "gpu_exporter_pod_uids_up 1.0",
            "gpu_exporter_pod_resources_failures_total{code=\"deadline_exceeded\",} 1.0",
            "gpu_exporter_pod_resources_failures_total{code=\"unavailable\",} 3.0");
  }

  @Test
  void reportsNoNumberOfDevices_whileItIsUnknownWhatIsHeld() {
    own.observe(
        TestSamples.twoGpus(),
        new OfKubelet(
            new KubeletContact.NeverAnswered("not there"),
            Map.of(),
            OptionalInt.empty(),
            new WatchState.NotEnabled()));

    assertThat(lines()).noneMatch(line -> line.contains("unmapped_devices"));
  }

  @Test
  void reportsWhetherTheCountersFileWasGood_andWhenOneLastWas() {
    own.reloaded(Instant.ofEpochSecond(1_000));
    own.reloadRefused();

    assertThat(lines())
        .contains(
            "gpu_exporter_config_last_reload_successful 0.0",
            "gpu_exporter_config_last_reload_success_timestamp_seconds 1000.0");
    own.reloaded(Instant.ofEpochSecond(2_000));
    assertThat(lines())
        .contains(
            "gpu_exporter_config_last_reload_successful 1.0",
            "gpu_exporter_config_last_reload_success_timestamp_seconds 2000.0");
  }

  @Test
  void reportsTheProcess_andNoCreationTimes() {
    assertThat(lines())
        .anyMatch(line -> line.startsWith("process_resident_memory_bytes "))
        .noneMatch(line -> line.contains("_created"));
  }

  private List<String> lines() {
    return new String(own.text(), UTF_8).lines().toList();
  }
}
