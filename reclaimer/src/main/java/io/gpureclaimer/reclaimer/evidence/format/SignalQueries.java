package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The questions about the signals, in PromQL. But for power they bring only what is above its
 * limit, and pods of which something is told no more, so that an answer for a large cluster stays
 * small.
 */
public final class SignalQueries {
  /** So that short work between two cycles is seen. */
  private static final String WINDOW = "2m";

  /** By then two of its samples are always in the window of a rate; but for the time of a cycle. */
  private static final String TOLD_WITHIN = "3m";

  /** As long as no kubelet is ever down without anybody noticing. */
  private static final String LONG_AGO = "1d";

  private static final int USED_WITHIN_SECONDS = 900;

  static final String COUNTER = "gpu_reclaimer_counter";

  /** The label of a pod of which something is told no more. */
  static final String LOST = "gpu_reclaimer_lost";

  private static final String WHOLE = Labels.GPU_INSTANCE_ID + "=\"\"";
  private static final List<String> PCIE =
      names(DcgmField.PROF_PCIE_TX_BYTES, DcgmField.PROF_PCIE_RX_BYTES);
  private static final List<String> NVLINK =
      names(DcgmField.PROF_NVLINK_TX_BYTES, DcgmField.PROF_NVLINK_RX_BYTES);

  private final SignalLimits limits;

  public SignalQueries(SignalLimits limits) {
    this.limits = limits;
  }

  /** What the boards tell; empty if nothing of it is wanted. */
  public Optional<String> ofDevices(String uuid, Optional<Collection<String>> gpus) {
    String which = gpus.map(these -> PromQl.oneOf(uuid, these)).orElse("");
    var parts = new ArrayList<String>();
    if (limits.has(SignalKind.MEMORY)) {
      parts.add(memory(uuid, which));
    }
    if (limits.has(SignalKind.PCIE)) {
      parts.add(traffic(SignalKind.PCIE, PCIE, uuid, which, limits.pcieBytesPerSecond()));
    }
    if (limits.has(SignalKind.NVLINK)) {
      parts.add(traffic(SignalKind.NVLINK, NVLINK, uuid, which, limits.nvlinkBytesPerSecond()));
    }
    // Of every board, and so the last: each "or" goes through all that stands left of it.
    if (limits.has(SignalKind.POWER)) {
      DcgmField.DEV_POWER_USAGE.names().forEach(name -> parts.add(power(name, uuid, which)));
    }
    return joined(parts);
  }

  /** What pods tell and what is told of them; empty if nothing of it is wanted. */
  public Optional<String> ofPods(Optional<PodName> pod) {
    String which =
        pod.map(
                name ->
                    PromQl.equal(Labels.NAMESPACE, name.namespace())
                        + ","
                        + PromQl.equal(Labels.POD, name.name()))
            .orElse("pod!=\"\"");
    var parts = new ArrayList<String>();
    if (limits.has(SignalKind.CPU)) {
      parts.add(cpu(which, pod.isPresent()));
    }
    if (limits.has(SignalKind.REQUESTS)) {
      limits.requestCounters().forEach(counter -> parts.add(requests(counter, which)));
      if (!limits.requestCounters().isEmpty()) {
        String counters = PromQl.select(limits.requestCounters(), which);
        parts.add(PromQl.kind(SignalKind.REQUESTS.code(), lost(counters)));
      }
    }
    if (limits.has(SignalKind.JUPYTER)) {
      parts.add(jupyter(which));
    }
    return joined(parts);
  }

  /** One name at a time: a window over several would be refused where a board has two of them. */
  private static String power(String name, String uuid, String which) {
    String series = PromQl.select(List.of(name), and(which, WHOLE));
    return PromQl.kind(
        SignalKind.POWER.code(),
        "max by ("
            + uuid
            + ", "
            + Labels.MODEL_NAME
            + ") (max_over_time("
            + series
            + "["
            + WINDOW
            + "]))");
  }

  /** By how much more is in use than there was at the lower of two moments. */
  private String memory(String uuid, String which) {
    String series = PromQl.select(DcgmField.DEV_FB_USED.names(), which);
    List<String> board = List.of(uuid, Labels.GPU_INSTANCE_ID);
    String before =
        PromQl.by(
            "min",
            board,
            PromQl.together(
                Stream.of("5m", "10m")
                    .map(
                        ago ->
                            PromQl.field(
                                ago, PromQl.by("max", board, series + " offset " + ago)))));
    return PromQl.kind(
        SignalKind.MEMORY.code(),
        PromQl.by("max", board, series) + " - " + before + " > " + limits.memoryMebibytes());
  }

  private static String traffic(
      SignalKind kind, List<String> names, String uuid, String which, double limit) {
    return PromQl.kind(
        kind.code(),
        "max by (" + uuid + ") (" + PromQl.select(names, and(which, WHOLE)) + ") > " + limit);
  }

  /**
   * Of one pod it is cheap to look back far: each running pod is always told of, by its kubelet.
   */
  private String cpu(String which, boolean ofOne) {
    String series =
        PromQl.select(
            List.of("container_cpu_usage_seconds_total"),
            which + ",container!=\"\",container!=\"POD\"");
    return PromQl.kind(
            SignalKind.CPU.code(),
            "sum by (namespace, pod) (rate(" + series + "[5m])) > " + limits.coresPerGpu())
        + " or "
        + PromQl.kind(SignalKind.CPU.code(), ofOne ? lost(series, LONG_AGO) : lost(series));
  }

  private static String requests(String counter, String which) {
    return PromQl.kind(
        SignalKind.REQUESTS.code(),
        PromQl.labeled(
            COUNTER,
            counter,
            "sum by (namespace, pod) (increase(" + counter + "{" + which + "}[15m])) > 0"));
  }

  /**
   * Jupyter tells when it was used last, by the clock of its node; one lost scrape hides nothing.
   */
  private static String jupyter(String which) {
    String series = PromQl.select(List.of("jupyter_server_last_activity_timestamp_seconds"), which);
    return PromQl.kind(
            SignalKind.JUPYTER.code(), pods(lately(series) + " > time() - " + USED_WITHIN_SECONDS))
        + " or "
        + PromQl.kind(SignalKind.JUPYTER.code(), lost(series));
  }

  /**
   * The pods that were told of 10 minutes ago, and not within the last three: who scrapes them may
   * have lost them, and what is not told is not nothing. Of a counter that is told less often, the
   * rate may never be known; and a look back by 5 minutes would take what is as old for told.
   * Marked, because not every server answers what is no number.
   */
  private static String lost(String series) {
    return unlessTold(pods(series + " offset 10m"), series);
  }

  /** The same of any that were told of within that time, not only then. */
  private static String lost(String series, String within) {
    return unlessTold(pods(last(series, within)), series);
  }

  private static String unlessTold(String pods, String series) {
    return PromQl.labeled(LOST, "true", pods + " unless " + pods(lately(series)));
  }

  private static String lately(String series) {
    return last(series, TOLD_WITHIN);
  }

  private static String last(String series, String within) {
    return "last_over_time(" + series + "[" + within + "])";
  }

  private static String pods(String series) {
    return "count by (namespace, pod) (" + series + ")";
  }

  private static Optional<String> joined(List<String> parts) {
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(" or ", parts));
  }

  private static String and(String one, String other) {
    return one.isEmpty() ? other : one + "," + other;
  }

  private static List<String> names(DcgmField... fields) {
    return Stream.of(fields).flatMap(field -> field.names().stream()).toList();
  }
}
