package io.gpureclaimer.exporter.exposition.own;

import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.SourceState;
import io.gpureclaimer.exporter.attribution.SourceState.KubeletContact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.sample.ContainerUsage;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.Snapshot;
import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * States in the last pass: of the driver, each GPU, and the source of holders. Written by the
 * sampling job, read by any thread.
 */
final class LastPass extends Collector {
  private static final List<String> GPU_LABELS = List.of("gpu", "UUID");

  private final AtomicReference<@Nullable PassState> last = new AtomicReference<>();

  void show(Snapshot snapshot, SourceState source) {
    last.set(new PassState(snapshot, source));
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var families = new ArrayList<MetricFamilySamples>();
    var state = last.get();
    if (state == null) {
      return families;
    }
    var snapshot = state.snapshot();
    families.add(
        new GaugeMetricFamily(
            "gpu_exporter_driver_up",
            "1 while a session with the driver is open.",
            snapshot.driver() instanceof DriverState.Up ? 1 : 0));
    if (!snapshot.gpus().isEmpty()) {
      families.add(
          perGpu(
              "gpu_exporter_gpu_up",
              "1 if the GPU responded in the last sampling pass.",
              snapshot,
              GpuSample.Answered.class::isInstance));
      families.add(
          perGpu(
              "gpu_exporter_gpu_hung",
              "1 while a driver call about the GPU does not return.",
              snapshot,
              GpuSample.Hung.class::isInstance));
      families.add(down(snapshot));
    }
    switch (state.source()) {
      case NotConfigured() -> {}
      case OfFile(boolean understood) ->
          families.add(
              new GaugeMetricFamily(
                  "gpu_exporter_pods_file_last_reload_successful",
                  "1 if the last read of the pods file succeeded.",
                  understood ? 1 : 0));
      case OfKubelet kubelet -> {
        addKubelet(kubelet, families);
        addDroppedLabels(kubelet, snapshot, families);
      }
    }
    addUses(snapshot.uses(), families);
    snapshot
        .jobs()
        .badFiles()
        .ifPresent(
            bad ->
                families.add(
                    new GaugeMetricFamily(
                        "gpu_exporter_hpc_job_bad_files",
                        "Files of the HPC job mapping that cannot be read or understood.",
                        bad)));
    return families;
  }

  private static void addKubelet(OfKubelet kubelet, List<MetricFamilySamples> into) {
    into.add(
        new GaugeMetricFamily(
            "gpu_exporter_pod_resources_up",
            "1 if the last query of the kubelet for device allocations succeeded.",
            kubelet.contact() instanceof KubeletContact.Answering ? 1 : 0));
    kubelet
        .unmapped()
        .ifPresent(
            devices ->
                into.add(
                    new GaugeMetricFamily(
                        "gpu_exporter_pod_resources_unmapped_devices",
                        "Allocated devices whose id matches no GPU of the node, or whose claim is"
                            + " unknown.",
                        devices)));
    var failures =
        new CounterMetricFamily(
            "gpu_exporter_pod_resources_failures",
            "Failed queries of the kubelet, by gRPC code.",
            List.of("code"));
    new TreeMap<>(kubelet.failures())
        .forEach((code, count) -> failures.addMetric(List.of(code), count));
    into.add(failures);
    if (!(kubelet.pods() instanceof WatchState.NotEnabled)) {
      into.add(
          new GaugeMetricFamily(
              "gpu_exporter_pod_uids_up",
              "1 while the watch of the pods on this node is current.",
              kubelet.pods() instanceof WatchState.Synced ? 1 : 0));
    }
    if (!(kubelet.devices() instanceof WatchState.NotEnabled)) {
      into.add(
          new GaugeMetricFamily(
              "gpu_exporter_resource_slices_up",
              "1 while the watch of ResourceSlices is current.",
              kubelet.devices() instanceof WatchState.Synced ? 1 : 0));
    }
    if (!(kubelet.claims() instanceof WatchState.NotEnabled)) {
      into.add(
          new GaugeMetricFamily(
              "gpu_exporter_resource_claims_up",
              "0 while queries of the API server for claims fail.",
              kubelet.claims() instanceof WatchState.Synced ? 1 : 0));
    }
  }

  private static void addDroppedLabels(
      OfKubelet kubelet, Snapshot snapshot, List<MetricFamilySamples> into) {
    if (!(kubelet.pods() instanceof WatchState.NotEnabled)) {
      into.add(
          new GaugeMetricFamily(
              "gpu_exporter_dropped_pod_labels",
              "Pod labels that are not served, because of the limit of labels or a name conflict.",
              droppedLabels(snapshot)));
    }
  }

  /** Each pod counts once, whatever it holds. */
  private static int droppedLabels(Snapshot snapshot) {
    var dropped = new HashMap<List<String>, Integer>();
    for (var holdings : snapshot.holdings().values()) {
      for (var holding : holdings) {
        var holder = holding.holder();
        dropped.put(List.of(holder.namespace(), holder.pod()), holding.labels().dropped());
      }
    }
    return dropped.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static void addUses(ContainerUsage uses, List<MetricFamilySamples> into) {
    if (!(uses instanceof ContainerUsage.NotEnabled)) {
      into.add(
          new GaugeMetricFamily(
              "gpu_exporter_process_attribution_up",
              "1 while the pod of each process on a GPU is known.",
              uses instanceof ContainerUsage.Known ? 1 : 0));
    }
  }

  private static GaugeMetricFamily perGpu(
      String name, String help, Snapshot snapshot, Predicate<GpuSample> holds) {
    var family = new GaugeMetricFamily(name, help, GPU_LABELS);
    for (GpuSample sample : snapshot.gpus()) {
      family.addMetric(
          List.of(Integer.toString(sample.index()), uuid(sample)), holds.test(sample) ? 1 : 0);
    }
    return family;
  }

  private static GaugeMetricFamily down(Snapshot snapshot) {
    var family =
        new GaugeMetricFamily(
            "gpu_exporter_gpu_down",
            "1 for each GPU that did not respond in the last sampling pass, with "
                + "the reason: lost, hung or failed.",
            List.of());
    for (GpuSample sample : snapshot.gpus()) {
      switch (sample) {
        case GpuSample.Answered _ -> {}
        case GpuSample.Lost _ -> addDown(sample, "lost", snapshot, family);
        case GpuSample.Hung _ -> addDown(sample, "hung", snapshot, family);
        case GpuSample.Failed _ -> addDown(sample, "failed", snapshot, family);
      }
    }
    return family;
  }

  private static void addDown(
      GpuSample sample, String reason, Snapshot snapshot, GaugeMetricFamily into) {
    GpuLabels labels =
        new GpuLabels()
            .with("gpu", Integer.toString(sample.index()))
            .with("UUID", uuid(sample))
            .with("reason", reason);
    sample.gpu().ifPresent(gpu -> labels.withModel(gpu).withHolder(gpu, snapshot));
    into.samples.add(labels.sample(into.name, 1));
  }

  private static String uuid(GpuSample sample) {
    return sample.gpu().map(gpu -> gpu.uuid().value()).orElse("unknown");
  }

  private record PassState(Snapshot snapshot, SourceState source) {}
}
