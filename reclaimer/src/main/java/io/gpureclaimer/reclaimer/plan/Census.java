package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.PodEvidence;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of the cluster one look has seen, and how much of that is idle.
 *
 * @param expected running pods with GPUs of which there should be evidence
 * @param seen those of them of which there is
 * @param gpus the GPUs of the seen ones
 * @param idleGpus those of them that are idle, for however short a time
 * @param idleWorkloads the workloads all of whose pods are
 */
public record Census(int expected, int seen, int gpus, int idleGpus, int idleWorkloads) {

  /** Of nothing. */
  public static final Census EMPTY = new Census(0, 0, 0, 0, 0);

  /** A container this young may not have been reported on yet. */
  private static final Duration YOUNG = Duration.ofMinutes(5);

  /** Counts; a pod that also holds what nobody counts is left out. */
  public static Census of(List<Judgment> judgments, Instant now) {
    return judgments.stream().map(judgment -> of(judgment, now)).reduce(EMPTY, Census::plus);
  }

  /** Which share of the GPUs is idle. */
  public double idleShare() {
    return gpus == 0 ? 0 : (double) idleGpus / gpus;
  }

  /** Which share of the expected pods was seen. */
  public double coverage() {
    return expected == 0 ? 1 : (double) seen / expected;
  }

  private Census plus(Census other) {
    return new Census(
        expected + other.expected,
        seen + other.seen,
        gpus + other.gpus,
        idleGpus + other.idleGpus,
        idleWorkloads + other.idleWorkloads);
  }

  private static Census of(Judgment judgment, Instant now) {
    List<PodView> pods = judgment.verdict().workload().pods();
    Map<String, PodView> byUid = HashMap.newHashMap(pods.size());
    pods.forEach(pod -> byUid.put(pod.ref().uid(), pod));
    Census counted = EMPTY;
    for (PodEvidence each : judgment.evidence()) {
      PodView pod = byUid.get(each.pod().uid());
      if (pod != null && pod.accelerators().isCounted()) {
        counted = counted.plus(of(pod, each.evidence(), now));
      }
    }
    boolean idle = counted.gpus() > 0 && counted.idleGpus() == counted.gpus();
    return counted.plus(new Census(0, 0, 0, 0, idle ? 1 : 0));
  }

  private static Census of(PodView pod, Evidence evidence, Instant now) {
    int devices = pod.accelerators().devices();
    return switch (evidence) {
      case Evidence.Active _ -> new Census(1, 1, devices, 0, 0);
      case Evidence.Idle _ -> new Census(1, 1, devices, devices, 0);
      case Evidence.Unknown _ -> isYoung(pod, now) ? EMPTY : new Census(1, 0, 0, 0, 0);
    };
  }

  private static boolean isYoung(PodView pod, Instant now) {
    return pod.startedAt().filter(start -> start.plus(YOUNG).isAfter(now)).isPresent();
  }
}
