package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.core.vocabulary.LedgerMetrics;
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

  private static final String LEDGER =
      String.join(
          "|",
          LedgerMetrics.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL);
  private static final String RAW = DcgmField.DEV_GPU_UTIL.metricName();

  private Queries() {}

  /** Everything that the agents recorded of every pod, and when each of them was scraped. */
  static String everyPod() {
    return recorded("");
  }

  /**
   * The same of one pod, and the highest raw utilization of its GPUs in the last two minutes,
   * whoever measured it. Without a single measurement there is no such sample.
   */
  static String onePod(PodActivity pod) {
    String recorded = recorded("pod_uid=" + quoted(pod.uid()));
    List<GpuUuid> gpus = pod.devices().stream().map(DeviceActivity::device).toList();
    return gpus.isEmpty() ? recorded : recorded + " or " + utilization(gpus);
  }

  private static String recorded(String matcher) {
    String ledger =
        "{__name__=~\"" + LEDGER + "\"" + (matcher.isEmpty() ? "" : "," + matcher) + "}";
    String until = LedgerMetrics.OBSERVED_UNTIL + (matcher.isEmpty() ? "" : "{" + matcher + "}");
    return ledger + " or " + kind(SAMPLED_AT, "timestamp(" + until + ")");
  }

  private static String utilization(List<GpuUuid> gpus) {
    String any = gpus.stream().map(gpu -> literal(gpu.value())).collect(Collectors.joining("|"));
    return kind(
        UTILIZATION, "max by (UUID) (max_over_time(" + RAW + "{UUID=~" + quoted(any) + "}[2m]))");
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
