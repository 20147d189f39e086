package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The queries of the signals, in PromQL. Except for power they return only what is above its limit,
 * and pods that are no longer reported, so that an answer for a large cluster stays small.
 */
public final class SignalQueries {
  /** So that short work between two cycles is seen. */
  private static final String WINDOW = "2m";

  /** By then two of its samples are always in the window of a rate; but for the time of a cycle. */
  private static final String REPORTED_WITHIN = "3m";

  private static final int REPORTED_WITHIN_SECONDS = 180;

  /** Long enough that a kubelet that is down is noticed before. */
  private static final String LONG_AGO = "1d";

  private static final int USED_WITHIN_SECONDS = 900;

  static final String COUNTER = "gpu_reclaimer_counter";

  /** The label of a pod that is no longer reported. */
  static final String LOST = "gpu_reclaimer_lost";

  /** Its value where that has yet to be found out, by {@link #lostOfPods}. */
  private static final String PERHAPS = "perhaps";

  private static final String WHOLE = Labels.GPU_INSTANCE_ID + "=\"\"";
  private static final List<String> PCIE =
      names(DcgmField.PROF_PCIE_TX_BYTES, DcgmField.PROF_PCIE_RX_BYTES);
  private static final List<String> NVLINK =
      names(DcgmField.PROF_NVLINK_TX_BYTES, DcgmField.PROF_NVLINK_RX_BYTES);

  private final SignalLimits limits;

  public SignalQueries(SignalLimits limits) {
    this.limits = limits;
  }

  /** The enabled signals of boards that agents do not watch. */
  public Set<SignalKind> notWatched(Set<SignalKind> watched) {
    Set<SignalKind> queried = limits.ofBoards();
    queried.removeAll(watched);
    return queried;
  }

  /** Whether a signal of pods is enabled. */
  public boolean hasPodSignals() {
    return ofPods(Optional.empty()).isPresent();
  }

  /** Signals of the boards; empty if none is enabled. */
  public Optional<String> ofDevices(String uuid, Optional<Collection<String>> gpus) {
    return ofDevices(uuid, gpus, limits.ofBoards());
  }

  /** Some signals of the boards; empty if there is none of them. */
  public Optional<String> ofDevices(
      String uuid, Optional<Collection<String>> gpus, Set<SignalKind> kinds) {
    String which = gpus.map(these -> PromQl.oneOf(uuid, these)).orElse("");
    var parts = new ArrayList<String>();
    if (kinds.contains(SignalKind.MEMORY)) {
      parts.add(memory(uuid, which));
    }
    if (kinds.contains(SignalKind.PCIE)) {
      parts.add(traffic(SignalKind.PCIE, PCIE, uuid, which, limits.pcieBytesPerSecond()));
    }
    if (kinds.contains(SignalKind.NVLINK)) {
      parts.add(traffic(SignalKind.NVLINK, NVLINK, uuid, which, limits.nvlinkBytesPerSecond()));
    }
    // Of every board, and so the last: each "or" goes through all that stands left of it.
    if (kinds.contains(SignalKind.POWER)) {
      DcgmField.DEV_POWER_USAGE.names().forEach(name -> parts.add(power(name, uuid, which)));
    }
    return joined(parts);
  }

  /** Signals of the pods; empty if none is enabled. */
  public Optional<String> ofPods(Optional<PodName> pod) {
    return pod.isPresent()
        ? ofPods(
            PromQl.equal(Labels.NAMESPACE, pod.get().namespace())
                + ","
                + PromQl.equal(Labels.POD, pod.get().name()),
            series -> lost(series, LONG_AGO),
            SignalQueries::lost)
        : ofPods("pod!=\"\"", SignalQueries::lost, SignalQueries::lost);
  }

  /**
   * Signals of some pods, and of others with such names; empty if none is enabled. Of CPU and
   * Jupyter it says only which pods are perhaps no longer reported: that costs two samples a pod
   * instead of seven.
   */
  public Optional<String> ofPods(Collection<PodName> pods) {
    return ofPods(named(pods), SignalQueries::perhapsLost, SignalQueries::perhapsLost);
  }

  /** Whether this sample of such a query says that its pod is perhaps no longer reported. */
  public static boolean isPerhapsLost(MetricSample sample) {
    return PERHAPS.equals(sample.labels().get(LOST));
  }

  /** Those of some pods, and of others with such names, whose CPU or Jupyter is not reported. */
  public String lostOfPods(Collection<PodName> pods) {
    return Stream.of(SignalKind.CPU, SignalKind.JUPYTER)
        .filter(limits::has)
        .map(
            kind ->
                PromQl.kind(
                    kind.code(),
                    lost(kind == SignalKind.CPU ? cpuOf(named(pods)) : jupyterOf(named(pods)))))
        .collect(Collectors.joining(" or "));
  }

  private static String named(Collection<PodName> pods) {
    List<String> namespaces = pods.stream().map(PodName::namespace).distinct().toList();
    List<String> names = pods.stream().map(PodName::name).distinct().toList();
    return PromQl.oneOf(Labels.NAMESPACE, namespaces) + "," + PromQl.oneOf(Labels.POD, names);
  }

  private Optional<String> ofPods(
      String which, UnaryOperator<String> cpuLost, UnaryOperator<String> jupyterLost) {
    var parts = new ArrayList<String>();
    if (limits.has(SignalKind.CPU)) {
      parts.add(cpu(which, cpuLost));
    }
    if (limits.has(SignalKind.REQUESTS)) {
      limits.requestCounters().forEach(counter -> parts.add(requests(counter, which)));
      if (!limits.requestCounters().isEmpty()) {
        String counters = PromQl.select(limits.requestCounters(), which);
        parts.add(PromQl.kind(SignalKind.REQUESTS.code(), lost(counters)));
      }
    }
    if (limits.has(SignalKind.JUPYTER)) {
      parts.add(jupyter(which, jupyterLost));
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

  private static String cpuOf(String which) {
    return PromQl.select(
        List.of("container_cpu_usage_seconds_total"),
        which + ",container!=\"\",container!=\"POD\"");
  }

  /** For one pod it is cheap to look back far: its kubelet reports each running pod. */
  private String cpu(String which, UnaryOperator<String> lost) {
    String series = cpuOf(which);
    return PromQl.kind(
            SignalKind.CPU.code(),
            "sum by (namespace, pod) (rate(" + series + "[5m])) > " + limits.coresPerGpu())
        + " or "
        + PromQl.kind(SignalKind.CPU.code(), lost.apply(series));
  }

  private static String requests(String counter, String which) {
    return PromQl.kind(
        SignalKind.REQUESTS.code(),
        PromQl.labeled(
            COUNTER,
            counter,
            "sum by (namespace, pod) (increase(" + counter + "{" + which + "}[15m])) > 0"));
  }

  private static String jupyterOf(String which) {
    return PromQl.select(List.of("jupyter_server_last_activity_timestamp_seconds"), which);
  }

  /**
   * Jupyter reports when it was used last, by the clock of its node; one lost scrape hides nothing.
   */
  private static String jupyter(String which, UnaryOperator<String> lost) {
    String series = jupyterOf(which);
    return PromQl.kind(
            SignalKind.JUPYTER.code(), pods(lately(series) + " > time() - " + USED_WITHIN_SECONDS))
        + " or "
        + PromQl.kind(SignalKind.JUPYTER.code(), lost.apply(series));
  }

  /**
   * The pods that were reported 10 minutes ago, and not within the last three: their scrape may
   * have been lost, and missing data is not zero. Of a counter that is reported less often, the
   * rate may never be known; a lookback of 5 minutes would count an equally old sample as reported.
   * Marked, because not every server answers what is no number.
   */
  private static String lost(String series) {
    return unlessReported(pods(series + " offset 10m"), series);
  }

  /** The same of any that were reported within that time, not only then. */
  private static String lost(String series, String within) {
    return unlessReported(pods(last(series, within)), series);
  }

  /**
   * All of {@link #lost}, and those of which only the last scrape was lost. The newest sample alone
   * is cheap to find, but not there after a failed scrape.
   */
  private static String perhapsLost(String series) {
    return PromQl.labeled(
        LOST,
        PERHAPS,
        pods(series + " offset 10m")
            + " unless "
            + pods("timestamp(" + series + ") > time() - " + REPORTED_WITHIN_SECONDS));
  }

  private static String unlessReported(String pods, String series) {
    return PromQl.labeled(LOST, "true", pods + " unless " + pods(lately(series)));
  }

  private static String lately(String series) {
    return last(series, REPORTED_WITHIN);
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
