package io.gpureclaimer.reclaimer.evidence;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One series that an agent exposes in a test. */
public record ExposedSeries(String name, Map<String, String> labels, double value) {
  public static final String LAST_ACTIVE = "gpu_pod_last_active_timestamp_seconds";
  public static final String OBSERVED_SINCE = "gpu_pod_observed_since_timestamp_seconds";
  public static final String OBSERVED_UNTIL = "gpu_pod_observed_until_timestamp_seconds";
  public static final String BUSY = "gpu_pod_busy_seconds_total";
  public static final String DEVICE_COUNT = "gpu_pod_device_count";
  public static final String ENGINE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";
  public static final String UTILIZATION = "DCGM_FI_DEV_GPU_UTIL";

  public ExposedSeries {
    labels = Map.copyOf(labels);
  }

  /** A series of the GPU in the hands of the pod. */
  public static ExposedSeries of(String name, String podUid, String gpu, double value) {
    return new ExposedSeries(
        name, Map.of("pod_uid", podUid, "UUID", gpu, "container", "main"), value);
  }

  /** The same with one label more, or another value of a label. */
  public ExposedSeries with(String label, String labelValue) {
    var more = new LinkedHashMap<>(labels);
    more.put(label, labelValue);
    return new ExposedSeries(name, more, value);
  }

  /** The same without a label. */
  public ExposedSeries without(String label) {
    var fewer = new LinkedHashMap<>(labels);
    fewer.remove(label);
    return new ExposedSeries(name, fewer, value);
  }

  /** What an agent would serve. */
  public static String text(List<ExposedSeries> shown) {
    return shown.stream().map(ExposedSeries::line).collect(Collectors.joining());
  }

  private String line() {
    String pairs =
        labels.entrySet().stream()
            .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
            .collect(Collectors.joining(","));
    return name + "{" + pairs + "} " + number() + "\n";
  }

  /** The value as Prometheus spells it. */
  public String number() {
    return Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
