package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The exporter of one node: it samples the GPUs, keeps the ledger by the node's clock with the
 * rules of the real one, and exposes both. Confined to the thread of the run.
 */
final class SimulatedAgent {
  private static final Duration LONGEST_GAP = Duration.ofSeconds(30);
  private static final double IDLE_WATTS = 62;
  private static final double BUSY_WATTS = 340;
  private static final double BUSY_BYTES = 3e9;
  private static final double BUSY_PERCENT = 83;
  private static final double BUSY_RATIO = 0.8;

  /** What an H100 shows while a process has a context and no kernel runs. */
  private static final double ENGINE_RATIO_AT_REST = 0.000_062;

  private static final double DRAM_RATIO_AT_REST = 0.000_007;

  /** What an H100 shows of a kernel of 1 ms on one of its multiprocessors. */
  private static final double SHORT_KERNEL_RATIO = 0.000_008;

  private static final double USED_MIB = 24_000;
  private static final double FALLEN_OFF_THE_BUS = 79;
  private static final double FAILURE = 20;

  /** What work may show by while {@code GPU_UTIL} stands at zero. */
  static final List<DcgmField> SELDOM_SIGNS =
      List.of(
          DcgmField.DEV_MEM_COPY_UTIL,
          DcgmField.named("DCGM_FI_PROF_PIPE_FP64_ACTIVE").orElseThrow());

  private static final String WATCHED = BoardSignal.codes(List.of(BoardSignal.values()));

  private final String node;
  private final SkewedClocks time;
  private final boolean recordsSignals;
  private final Map<String, Map<String, LabelSet>> labelSets = new ConcurrentHashMap<>();
  private final Map<String, Instant> heldSince = new HashMap<>();
  private Map<String, AgentLedgerEntry> entries = new HashMap<>();
  private Instant lastPass = SkewedClocks.START;
  private Duration clockError = Duration.ZERO;
  private boolean up = true;
  private boolean countersStuck;
  private boolean utilizationStuck;
  private boolean ledgerStuck;
  private @Nullable DcgmField onlySign;
  private boolean lastActiveStuck;
  private Set<String> uncounted = Set.of();
  private final Map<String, Instant> uncountedSince = new HashMap<>();
  private boolean frozen;
  private Set<String> frozenGpus = Set.of();
  private Set<String> replacedGpus = Set.of();
  private Set<String> lostGpus = Set.of();
  private List<SampledHolder> lost = List.of();
  private UnaryOperator<ExpositionSample> distortion = sample -> sample;
  private Map<String, PodRef> mistaken = Map.of();

  /** One pod on one GPU, as this agent sees it. */
  record SampledHolder(PodRef pod, GpuUuid gpu, int index, ActualWork life) {}

  /** What is remembered; the second of each pair of instants is the truth of the first. */
  private record AgentLedgerEntry(
      SampledHolder held,
      Instant since,
      Instant trulySince,
      Instant until,
      @Nullable Instant active,
      double busySeconds,
      boolean busyNow,
      @Nullable Instant signal) {}

  /**
   * @param recordsSignals whether its version records when signals of boards were last seen
   */
  SimulatedAgent(String node, SkewedClocks time, boolean recordsSignals) {
    this.node = node;
    this.time = time;
    this.recordsSignals = recordsSignals;
  }

  String node() {
    return node;
  }

  boolean isUp() {
    return up;
  }

  void setUp(boolean value) {
    up = value;
  }

  /** The process restarts and loses its memory. */
  void restart() {
    entries = new HashMap<>();
  }

  void setClockError(Duration ahead) {
    clockError = ahead;
  }

  /** The driver's counters of work stand at zero, whatever the GPUs do. */
  void stickCounters(boolean value) {
    countersStuck = value;
  }

  /** Only the ledger misses the work; the raw utilization shows it. */
  void stickLedger(boolean value) {
    ledgerStuck = value;
  }

  /** Only the raw utilization stands at zero; the ledger knows better. */
  void stickUtilization(boolean value) {
    utilizationStuck = value;
  }

  /** The last activity stands still and only the busy time grows; nothing else shows work. */
  void stickLastActive(boolean value) {
    lastActiveStuck = value;
  }

  /** The device counts of these pods, by UID, are not exposed. */
  void loseCounts(Set<String> pods) {
    uncounted = Set.copyOf(pods);
  }

  /** Since when there is no device count of the pod, though there is one of another pod. */
  Optional<Instant> uncountedSince(PodRef pod) {
    return Optional.ofNullable(uncountedSince.get(pod.uid()));
  }

  /** All series that show work but this one stand as if there was none; null ends that. */
  void showWorkOnlyBy(@Nullable DcgmField sign) {
    onlySign = sign;
  }

  /** Series of a pod are labeled as another pod's, by UID. */
  void mistake(Map<String, PodRef> others) {
    mistaken = Map.copyOf(others);
  }

  /** The process serves what it has, and no longer polls. */
  void freeze(boolean value) {
    frozen = value;
  }

  /** The driver no longer reports these GPUs, so that their records stay as they are. */
  void freezeGpus(Set<String> uuids) {
    frozenGpus = Set.copyOf(uuids);
  }

  /** These GPUs were swapped for others, in the hands of the same pods. */
  void replaceGpus(Set<String> uuids) {
    replacedGpus = Set.copyOf(uuids);
  }

  /** The driver reports that these GPUs are lost: only what is known without it is exposed. */
  void loseGpus(Set<String> uuids) {
    lostGpus = Set.copyOf(uuids);
  }

  /** Change of each sample on its way. */
  void distort(UnaryOperator<ExpositionSample> each) {
    distortion = each;
  }

  /** One sampling pass, which sees all work since the one before. */
  void pass(List<SampledHolder> held) {
    Instant now = time.now();
    if (!up || frozen) {
      return;
    }
    Map<String, AgentLedgerEntry> kept = new HashMap<>();
    lost = held.stream().filter(each -> lostGpus.contains(each.gpu().value())).toList();
    for (SampledHolder each : held) {
      SampledHolder seen = seen(each);
      heldSince.putIfAbsent(each.pod().uid(), now);
      if (lost.contains(each)) {
        continue;
      }
      String key = seen.pod().uid() + " " + seen.gpu().value();
      AgentLedgerEntry before = entries.get(key);
      boolean stays = before != null && frozenGpus.contains(seen.gpu().value());
      kept.put(key, stays ? before : next(seen, before, now));
    }
    entries = kept;
    lastPass = now;
  }

  private SampledHolder seen(SampledHolder held) {
    String uuid = held.gpu().value();
    return replacedGpus.contains(uuid)
        ? new SampledHolder(held.pod(), new GpuUuid(uuid + "-spare"), held.index(), held.life())
        : held;
  }

  private AgentLedgerEntry next(
      SampledHolder held, @Nullable AgentLedgerEntry before, Instant now) {
    Instant shown = now.plus(clockError);
    boolean worked = held.life().worked(held.index(), seenSince(now), now);
    boolean seen = worked && !countersStuck && !ledgerStuck;
    boolean dated = seen && !lastActiveStuck;
    boolean signaled = worked && onlySign == null && !lastActiveStuck;
    if (before == null || !continues(before, shown)) {
      return new AgentLedgerEntry(
          held, shown, now, shown, dated ? shown : null, 0, worked, signaled ? shown : null);
    }
    double more = seen ? SampleNumbers.seconds(now) - SampleNumbers.seconds(lastPass) : 0;
    return new AgentLedgerEntry(
        held,
        before.since(),
        before.trulySince(),
        shown,
        dated ? shown : before.active(),
        before.busySeconds() + more,
        worked,
        signaled ? shown : before.signal());
  }

  /** The driver remembers for a moment what happened between two passes, but not for longer. */
  private Instant seenSince(Instant now) {
    return lastPass.isBefore(now.minus(LONGEST_GAP)) ? now.minusSeconds(1) : lastPass;
  }

  private static boolean continues(AgentLedgerEntry before, Instant shown) {
    return !shown.isBefore(before.until()) && !shown.isAfter(before.until().plus(LONGEST_GAP));
  }

  /** Since when this pod's GPUs have all been watched, in truth. */
  Optional<Instant> watchedSince(PodRef pod, int gpus) {
    List<Instant> starts =
        entries.values().stream()
            .filter(entry -> entry.held().pod().equals(pod))
            .map(AgentLedgerEntry::trulySince)
            .sorted()
            .toList();
    return starts.size() == gpus ? Optional.of(starts.getLast()) : Optional.empty();
  }

  /** Since when the pod has held a GPU here, in truth, whatever was forgotten of it meanwhile. */
  Optional<Instant> heldSince(PodRef pod) {
    return Optional.ofNullable(heldSince.get(pod.uid()));
  }

  /** When it looked last, in truth. */
  Instant lastPass() {
    return lastPass;
  }

  /** Everything it has to say; nothing if it is down. */
  Optional<List<ExpositionSample>> exposition() {
    if (!up) {
      return Optional.empty();
    }
    var samples = new ArrayList<ExpositionSample>();
    Map<PodRef, Integer> counts = new HashMap<>();
    for (AgentLedgerEntry entry : entries.values()) {
      PodRef pod = labeled(entry.held().pod());
      counts.merge(pod, 1, Integer::sum);
      expose(entry, pod, samples);
    }
    for (SampledHolder each : lost) {
      PodRef pod = labeled(each.pod());
      counts.merge(pod, 1, Integer::sum);
      exposeLost(new SampleWriter(each, pod, samples));
    }
    boolean others = counts.keySet().stream().anyMatch(pod -> !uncounted.contains(pod.uid()));
    uncountedSince.keySet().removeIf(uid -> !others || !uncounted.contains(uid));
    if (others) {
      uncounted.forEach(uid -> uncountedSince.putIfAbsent(uid, time.now()));
    }
    counts.keySet().removeIf(pod -> uncounted.contains(pod.uid()));
    counts.forEach(
        (pod, count) ->
            samples.add(
                ExpositionSample.of(
                    LedgerMetrics.DEVICE_COUNT,
                    Map.of(
                        "hostname", node,
                        "namespace", pod.namespace(),
                        "pod", pod.name(),
                        "pod_uid", pod.uid()),
                    count)));
    return Optional.of(samples.stream().map(distortion).toList());
  }

  private PodRef labeled(PodRef pod) {
    return mistaken.getOrDefault(pod.uid(), pod);
  }

  private void expose(AgentLedgerEntry entry, PodRef pod, List<ExpositionSample> into) {
    boolean hidden = countersStuck || utilizationStuck || lastActiveStuck;
    boolean shown = entry.busyNow() && !hidden;
    boolean byUtilization = shown && onlySign == null;
    boolean works = entry.busyNow() && onlySign == null && !lastActiveStuck;
    var to = new SampleWriter(entry.held(), pod, into);
    if (entry.active() != null) {
      to.add(LedgerMetrics.LAST_ACTIVE, SampleNumbers.seconds(entry.active()));
    }
    to.add(LedgerMetrics.OBSERVED_SINCE, SampleNumbers.seconds(entry.since()));
    to.add(LedgerMetrics.OBSERVED_UNTIL, SampleNumbers.seconds(entry.until()));
    to.add(LedgerMetrics.BUSY, entry.busySeconds());
    if (recordsSignals) {
      exposeSignal(entry, to);
    }
    to.add(DcgmField.DEV_GPU_UTIL.metricName(), byUtilization ? BUSY_PERCENT : 0);
    to.add(
        DcgmField.PROF_GR_ENGINE_ACTIVE.metricName(),
        byUtilization ? BUSY_RATIO : ENGINE_RATIO_AT_REST);
    to.add(
        DcgmField.PROF_DRAM_ACTIVE.metricName(), byUtilization ? BUSY_RATIO : DRAM_RATIO_AT_REST);
    for (DcgmField sign : SELDOM_SIGNS) {
      double busy = ActivityField.isProfiling(sign) ? SHORT_KERNEL_RATIO : BUSY_PERCENT;
      to.add(sign.metricName(), shown && sign == onlySign ? busy : 0);
    }
    to.add(DcgmField.DEV_POWER_USAGE.metricName(), works ? BUSY_WATTS : IDLE_WATTS);
    to.add(DcgmField.DEV_FB_USED.metricName(), USED_MIB);
    to.add("DCGM_FI_PROF_PCIE_RX_BYTES", works ? BUSY_BYTES : 0);
    to.add("DCGM_FI_PROF_PCIE_TX_BYTES", works ? BUSY_BYTES : 0);
  }

  private static void exposeSignal(AgentLedgerEntry entry, SampleWriter to) {
    Instant signal = entry.signal();
    to.add(
        LedgerMetrics.LAST_SIGNAL,
        Map.of(
            Labels.SIGNAL,
            signal == null ? LedgerMetrics.NO_SIGNAL : BoardSignal.POWER.code(),
            Labels.WATCHED,
            WATCHED),
        SampleNumbers.seconds(signal == null ? entry.since() : signal));
  }

  /** The families that the exporter keeps of a GPU that does not respond, with its pod. */
  private static void exposeLost(SampleWriter to) {
    to.add(DcgmField.DEV_XID_ERRORS.metricName(), FALLEN_OFF_THE_BUS);
    to.add(DcgmField.EXP_XID_ERRORS_COUNT.metricName(), 1);
    to.add(DcgmField.EXP_XID_ERRORS_TOTAL.metricName(), 1);
    to.add(DcgmField.EXP_GPU_HEALTH_STATUS.metricName(), FAILURE);
  }

  /** Adds the samples of one pod on one GPU; the label sets are made once, because they stay. */
  private final class SampleWriter {
    private final SampledHolder held;
    private final PodRef pod;
    private final List<ExpositionSample> into;
    private final Map<String, LabelSet> known;

    private SampleWriter(SampledHolder held, PodRef pod, List<ExpositionSample> into) {
      this.held = held;
      this.pod = pod;
      this.into = into;
      known =
          labelSets.computeIfAbsent(
              held.gpu().value() + " " + pod.uid(), _ -> new ConcurrentHashMap<>());
    }

    private void add(String name, double value) {
      add(name, Map.of(), value);
    }

    private void add(String name, Map<String, String> more, double value) {
      String key = more.isEmpty() ? name : name + more;
      into.add(new ExpositionSample(known.computeIfAbsent(key, _ -> labels(name, more)), value));
    }

    private LabelSet labels(String name, Map<String, String> more) {
      var labels = new HashMap<>(more);
      labels.put("__name__", name);
      labels.put("UUID", held.gpu().value());
      labels.put("gpu", Integer.toString(held.index()));
      labels.put("hostname", node);
      labels.put("namespace", pod.namespace());
      labels.put("pod", pod.name());
      labels.put("container", "main");
      labels.put("pod_uid", pod.uid());
      if (name.startsWith("DCGM_")) {
        labels.put("modelName", "NVIDIA H100 80GB HBM3");
        labels.put("device", "nvidia" + held.index());
      }
      return LabelSet.of(labels);
    }
  }
}
