package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of the cluster one observation covers, and how much of that is idle.
 *
 * @param expected running pods with GPUs of which there should be evidence
 * @param seen those of them of which there is
 * @param gpus the GPUs of the seen ones
 * @param idleGpus those of them that are idle, for however short a time
 * @param idleWorkloads the workloads all of whose pods are
 */
public record CoverageStats(int expected, int seen, int gpus, int idleGpus, int idleWorkloads) {

  /** An empty cluster. */
  public static final CoverageStats EMPTY = new CoverageStats(0, 0, 0, 0, 0);

  /** A container this young may not have been reported on yet. */
  private static final Duration YOUNG = Duration.ofMinutes(5);

  /** Counts; a pod that also holds accelerators that are not counted is left out. */
  public static CoverageStats of(List<Judgment> judgments, Instant now) {
    return judgments.stream().map(judgment -> of(judgment, now)).reduce(EMPTY, CoverageStats::plus);
  }

  /** Which share of the GPUs is idle. */
  public double idleShare() {
    return gpus == 0 ? 0 : (double) idleGpus / gpus;
  }

  /** Which share of the expected pods was seen. */
  public double coverage() {
    return expected == 0 ? 1 : (double) seen / expected;
  }

  private CoverageStats plus(CoverageStats other) {
    return new CoverageStats(
        expected + other.expected,
        seen + other.seen,
        gpus + other.gpus,
        idleGpus + other.idleGpus,
        idleWorkloads + other.idleWorkloads);
  }

  private static CoverageStats of(Judgment judgment, Instant now) {
    List<PodView> pods = judgment.verdict().workload().allPods();
    Map<String, PodView> byUid = HashMap.newHashMap(pods.size());
    pods.forEach(pod -> byUid.put(pod.ref().uid(), pod));
    CoverageStats counted = EMPTY;
    for (PodEvidence each : judgment.evidence()) {
      PodView pod = byUid.get(each.pod().uid());
      if (pod != null && pod.accelerators().isCounted()) {
        counted = counted.plus(of(pod, each.evidence(), now));
      }
    }
    boolean idle = counted.gpus() > 0 && counted.idleGpus() == counted.gpus();
    return counted.plus(new CoverageStats(0, 0, 0, 0, idle ? 1 : 0));
  }

  private static CoverageStats of(PodView pod, Evidence evidence, Instant now) {
    int devices = pod.accelerators().devices();
    return switch (evidence) {
      case Evidence.Active _ -> new CoverageStats(1, 1, devices, 0, 0);
      case Evidence.Idle _ -> new CoverageStats(1, 1, devices, devices, 0);
      case Evidence.Unknown _ -> isYoung(pod, now) ? EMPTY : new CoverageStats(1, 0, 0, 0, 0);
    };
  }

  private static boolean isYoung(PodView pod, Instant now) {
    return pod.startedAt().filter(start -> start.plus(YOUNG).isAfter(now)).isPresent();
  }
}
