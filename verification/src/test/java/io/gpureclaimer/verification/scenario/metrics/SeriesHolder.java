package io.gpureclaimer.verification.scenario.metrics;

import io.gpureclaimer.verification.scenario.harness.Prometheus;
import java.util.List;
import java.util.Map;

/** That a container holds a GPU, as the labels of a series say. */
record SeriesHolder(String gpu, String namespace, String pod, String container) {

  /** The job's newest series of allocated GPUs. */
  static List<SeriesHolder> reported(Prometheus prometheus, String job) {
    return read(prometheus, job, "");
  }

  /** The same where Prometheus renames labels that collide with its own. */
  static List<SeriesHolder> reportedRenamed(Prometheus prometheus, String job) {
    return read(prometheus, job, "exported_");
  }

  private static List<SeriesHolder> read(Prometheus prometheus, String job, String prefix) {
    return prometheus
        .ask("DCGM_FI_DEV_GPU_UTIL{job=\"" + job + "\"," + prefix + "pod!=\"\"}")
        .stream()
        .map(Prometheus.ResultSeries::labels)
        .map(labels -> of(labels, prefix))
        .toList();
  }

  private static SeriesHolder of(Map<String, String> labels, String prefix) {
    return new SeriesHolder(
        labels.getOrDefault("UUID", ""),
        labels.getOrDefault(prefix + "namespace", ""),
        labels.getOrDefault(prefix + "pod", ""),
        labels.getOrDefault(prefix + "container", ""));
  }
}
