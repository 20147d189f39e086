package io.gpureclaimer.reclaimer.rightsize;

import io.gpureclaimer.reclaimer.backtest.Backtest.NamespaceScope;
import io.gpureclaimer.reclaimer.backtest.ReconstructedCluster;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.utilization.DevicePeaks.PeaksResult;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds up what each device of each workload did in the looks of a range. A look stands for the time
 * since the look before it. A time in which a pod was not seen, though it was before and after, is
 * unknown. Confined to one thread.
 */
public final class UsageReplay {
  private static final int MOST_REMARKS = 20;

  private final TimeRange range;
  private final ReconstructedCluster cluster;
  private final Judge judge;
  private final NamespaceScope scope;
  private final Map<String, WorkloadUsageTotals> totals = new HashMap<>();
  private final Map<String, Instant> lastSeen = new HashMap<>();
  private final Set<String> remarks = new LinkedHashSet<>();
  private Optional<Instant> firstSeen = Optional.empty();

  public UsageReplay(
      TimeRange range, ReconstructedCluster cluster, Judge judge, NamespaceScope scope) {
    this.range = range;
    this.cluster = cluster;
    this.judge = judge;
    this.scope = scope;
  }

  /** Plays the next observation. */
  public void play(HistoricalObservation observation) {
    var view = cluster.at(observation, Map.of());
    Seen seen = observation.seen().joined(Judge.identities(view.pods()));
    if (!seen.pods().isEmpty()) {
      firstSeen = firstSeen.or(() -> Optional.of(seen.at()));
    }
    observation.seen().oddities().stream()
        .takeWhile(_ -> remarks.size() < MOST_REMARKS)
        .forEach(remarks::add);
    for (Judgment judgment : judge.judge(view, seen, seen.at())) {
      Workload workload = judgment.verdict().workload();
      if (scope.includes(workload.namespace())) {
        add(workload, judgment.evidence(), seen);
      }
    }
  }

  private void add(Workload workload, List<PodEvidence> evidence, Seen seen) {
    if (evidence.isEmpty()) {
      return;
    }
    WorkloadUsageTotals its =
        totals.computeIfAbsent(
            workload.uid(),
            _ ->
                new WorkloadUsageTotals(
                    workload.namespace(),
                    workload.kind(),
                    workload.name(),
                    cluster.isGone(workload.firstPod().ref().uid())));
    Map<String, PodView> pods = new HashMap<>();
    workload.allPods().forEach(pod -> pods.put(pod.ref().uid(), pod));
    its.beginLook();
    for (PodEvidence of : evidence) {
      PodView pod = pods.get(of.pod().uid());
      if (pod != null) {
        add(pod, of.evidence(), seen, its);
      }
    }
    its.endLook();
  }

  private void add(PodView pod, Evidence evidence, Seen seen, WorkloadUsageTotals its) {
    String uid = pod.ref().uid();
    List<DeviceActivity> observed = seen.pod(uid).map(PodActivity::devices).orElse(List.of());
    int devices = pod.accelerators().isCounted() ? pod.accelerators().devices() : observed.size();
    Instant begin = seen.at().minus(range.step());
    Instant before = lastSeen.put(uid, seen.at());
    if (before != null && before.isBefore(begin)) {
      its.unknown(devices, Duration.between(before, begin));
    }
    switch (evidence) {
      case Evidence.Unknown _ -> its.unknownPod(pod, devices, range.step());
      case Evidence.Active _, Evidence.Idle _ ->
          its.knownPod(pod, observed, before == null ? begin : before, range.step());
    }
  }

  /** What came of all the looks. */
  public RightSizeReport finish(PeaksResult.Known peaks) {
    return RightSizeReport.of(
        range,
        firstSeen,
        totals.values().stream().map(each -> each.close(peaks)).toList(),
        WorkloadUsageTotals.models(peaks),
        cluster.gone(),
        List.copyOf(remarks));
  }
}
