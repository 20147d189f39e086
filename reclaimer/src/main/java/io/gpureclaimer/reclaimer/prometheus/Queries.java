package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.reclaimer.activity.DeviceActivity;
import io.gpureclaimer.reclaimer.activity.PodActivity;
import java.util.List;
import java.util.stream.Collectors;

/** The questions, in PromQL: one for each kind of look. */
final class Queries {

  /**
   * The label that tells apart what a query computed from what it only read. A name would not do:
   * {@code or} compares label sets without names, and would drop the right-hand side as known.
   */
  static final String KIND = "gpu_reclaimer_kind";

  static final String SAMPLED_AT = "sampled_at";
  static final String UTILIZATION = "utilization";

  private Queries() {}

  /** Everything that the agents recorded of every pod, and when each of them was scraped. */
  static String everyPod() {
    return recorded("");
  }

  /**
   * The same of one pod, and the highest raw utilization of its GPUs in the last two minutes,
   * whoever measured it.
   */
  static String onePod(PodActivity pod) {
    String recorded = recorded("pod_uid=" + quoted(pod.uid()));
    List<GpuUuid> gpus = pod.devices().stream().map(DeviceActivity::device).toList();
    return gpus.isEmpty() ? recorded : recorded + " or " + utilization(gpus);
  }

  private static String recorded(String matcher) {
    String ledger =
        "{__name__=~\"gpu_pod_(last_active|observed_since|observed_until)_timestamp_seconds\""
            + (matcher.isEmpty() ? "" : "," + matcher)
            + "}";
    String until = LedgerNames.OBSERVED_UNTIL + (matcher.isEmpty() ? "" : "{" + matcher + "}");
    return ledger + " or " + kind(SAMPLED_AT, "timestamp(" + until + ")");
  }

  private static String utilization(List<GpuUuid> gpus) {
    String any = gpus.stream().map(gpu -> literal(gpu.value())).collect(Collectors.joining("|"));
    return kind(
        UTILIZATION,
        "max by (UUID) (max_over_time(DCGM_FI_DEV_GPU_UTIL{UUID=~" + quoted(any) + "}[2m]))");
  }

  private static String kind(String kind, String vector) {
    return "label_replace(" + vector + ", \"" + KIND + "\", \"" + kind + "\", \"\", \"\")";
  }

  /** A regular expression of RE2 that matches the text and nothing else. */
  private static String literal(String text) {
    return text.replaceAll("[\\\\.+*?()|\\[\\]{}^$]", "\\\\$0");
  }

  /** The text as a PromQL string, which ends where the text ends whatever is in it. */
  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> quoted.append("\\\\");
        case '"' -> quoted.append("\\\"");
        case '\n' -> quoted.append("\\n");
        default -> quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
