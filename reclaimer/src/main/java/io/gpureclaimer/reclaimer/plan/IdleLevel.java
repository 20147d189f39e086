package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Evidence.Idle;
import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment.PodEvidence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods past their startup grace and whether they are idle, as the last cycles found them. A later
 * cycle is compared by those pods alone: pods that start or end are no jump.
 *
 * @param idle by UID of the pod
 * @param jump far more of these pods are idle now
 */
record IdleLevel(Map<String, Boolean> idle, Optional<IdleJump> jump) {
  IdleLevel {
    idle = Map.copyOf(idle);
  }

  /**
   * A sudden rise.
   *
   * @param from share of the GPUs of the compared pods that were idle
   * @param to share of them that are idle now
   * @param since the first cycle that found it
   */
  record IdleJump(double from, double to, Instant since) {}

  private record MeasuredPod(String uid, int gpus, boolean idle) {}

  /** The level of the first cycle, which has nothing to be compared with. */
  static IdleLevel of(List<Judgment> judgments, Instant now) {
    var idle = new HashMap<String, Boolean>();
    for (Judgment judgment : judgments) {
      measured(judgment, now).forEach(pod -> idle.put(pod.uid(), pod.idle()));
    }
    return new IdleLevel(idle, Optional.empty());
  }

  /** The level after one more cycle with enough coverage. */
  IdleLevel after(List<Judgment> judgments, CircuitBreaker.Limits limits, Instant now) {
    return jumpTo(judgments, limits, now)
        .filter(found -> now.isBefore(found.since().plus(limits.jumpSettles())))
        .map(found -> new IdleLevel(idle, Optional.of(found)))
        .orElseGet(() -> of(judgments, now));
  }

  private Optional<IdleJump> jumpTo(
      List<Judgment> judgments, CircuitBreaker.Limits limits, Instant now) {
    int gpus = 0;
    int idleBefore = 0;
    int idleNow = 0;
    int moreWorkloads = 0;
    for (Judgment judgment : judgments) {
      List<MeasuredPod> pods =
          measured(judgment, now).stream().filter(pod -> idle.containsKey(pod.uid())).toList();
      List<MeasuredPod> wereIdle = pods.stream().filter(pod -> wasIdle(pod)).toList();
      List<MeasuredPod> areIdle = pods.stream().filter(MeasuredPod::idle).toList();
      gpus += gpusOf(pods);
      idleBefore += gpusOf(wereIdle);
      idleNow += gpusOf(areIdle);
      moreWorkloads +=
          (areIdle.size() == pods.size() ? 1 : 0) - (wereIdle.size() == pods.size() ? 1 : 0);
    }
    double from = share(idleBefore, gpus);
    double to = share(idleNow, gpus);
    boolean jumped =
        limits.maxIdleJump() < 1
            && to - from >= limits.maxIdleJump()
            && moreWorkloads >= limits.jumpWorkloads();
    return jumped
        ? Optional.of(new IdleJump(from, to, jump.map(IdleJump::since).orElse(now)))
        : Optional.empty();
  }

  private boolean wasIdle(MeasuredPod pod) {
    return Boolean.TRUE.equals(idle.get(pod.uid()));
  }

  private static int gpusOf(List<MeasuredPod> pods) {
    return pods.stream().mapToInt(MeasuredPod::gpus).sum();
  }

  private static double share(int some, int all) {
    return all == 0 ? 0 : (double) some / all;
  }

  private static List<MeasuredPod> measured(Judgment judgment, Instant now) {
    var evidence = new HashMap<String, Evidence>();
    for (PodEvidence each : judgment.evidence()) {
      evidence.put(each.pod().uid(), each.evidence());
    }
    var pods = new ArrayList<MeasuredPod>();
    for (PodView pod : judgment.verdict().workload().allPods()) {
      Evidence found = evidence.get(pod.ref().uid());
      if (found != null
          && !(found instanceof Unknown)
          && pod.accelerators().isCounted()
          && !judgment.isStarting(pod, now)) {
        pods.add(
            new MeasuredPod(pod.ref().uid(), pod.accelerators().devices(), found instanceof Idle));
      }
    }
    return pods;
  }
}
