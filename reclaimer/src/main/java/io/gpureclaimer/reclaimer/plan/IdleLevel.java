package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.evidence.Evidence.Unknown;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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
    // Each pod is looked up in every cycle, which Map.copyOf takes longer for.
    idle = Collections.unmodifiableMap(new HashMap<>(idle));
  }

  /**
   * A sudden rise.
   *
   * @param from share of the GPUs of the compared pods that were idle
   * @param to share of them that are idle now
   * @param since the first cycle that found it
   */
  record IdleJump(double from, double to, Instant since) {}

  /** The level of the first cycle, which has nothing to be compared with. */
  static IdleLevel of(List<Judgment> judgments, Instant now) {
    return of(measured(judgments, now));
  }

  /** The level after one more cycle with enough coverage. */
  IdleLevel after(List<Judgment> judgments, CircuitBreaker.Limits limits, Instant now) {
    List<List<PodWithEvidence>> workloads = measured(judgments, now);
    return jumpTo(workloads, limits, now)
        .filter(found -> now.isBefore(found.since().plus(limits.jumpSettles())))
        .map(found -> new IdleLevel(idle, Optional.of(found)))
        .orElseGet(() -> of(workloads));
  }

  private static IdleLevel of(List<List<PodWithEvidence>> workloads) {
    var idle = new HashMap<String, Boolean>();
    workloads.forEach(pods -> pods.forEach(pod -> idle.put(pod.uid(), pod.isIdle())));
    return new IdleLevel(idle, Optional.empty());
  }

  private Optional<IdleJump> jumpTo(
      List<List<PodWithEvidence>> workloads, CircuitBreaker.Limits limits, Instant now) {
    int gpus = 0;
    int idleBefore = 0;
    int idleNow = 0;
    int moreWorkloads = 0;
    for (List<PodWithEvidence> pods : workloads) {
      boolean wasIdle = true;
      boolean isIdle = true;
      for (PodWithEvidence pod : pods) {
        Boolean before = idle.get(pod.uid());
        if (before != null) {
          gpus += pod.gpus();
          idleBefore += before ? pod.gpus() : 0;
          idleNow += pod.isIdle() ? pod.gpus() : 0;
          wasIdle &= before;
          isIdle &= pod.isIdle();
        }
      }
      moreWorkloads += (isIdle ? 1 : 0) - (wasIdle ? 1 : 0);
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

  private static double share(int some, int all) {
    return all == 0 ? 0 : (double) some / all;
  }

  /** Pods of which something is known and that are past their startup grace, by workload. */
  private static List<List<PodWithEvidence>> measured(List<Judgment> judgments, Instant now) {
    List<List<PodWithEvidence>> measured = new ArrayList<>(judgments.size());
    for (Judgment judgment : judgments) {
      List<PodWithEvidence> pods = new ArrayList<>(judgment.evidence().size());
      for (PodWithEvidence each : PodWithEvidence.of(judgment)) {
        if (!(each.evidence() instanceof Unknown) && !judgment.isStarting(each.pod(), now)) {
          pods.add(each);
        }
      }
      if (!pods.isEmpty()) {
        measured.add(pods);
      }
    }
    return measured;
  }
}
