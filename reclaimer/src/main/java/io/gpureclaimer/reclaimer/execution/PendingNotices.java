package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.PendingStatus.PendingOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Events on pending pods that say what is reclaimed for them, or why nothing is. One for each pod
 * and outcome. Confined to the cycle's thread. A new leader may write an Event again.
 */
final class PendingNotices {
  /** So that a cycle with a large queue is not busy with Events. */
  private static final int PODS_PER_CYCLE = 50;

  private final Cluster cluster;
  private final Leadership leadership;
  private final Map<String, PendingOutcome> written = new HashMap<>();

  PendingNotices(Cluster cluster, Leadership leadership) {
    this.cluster = cluster;
    this.leadership = leadership;
  }

  /** Writes what is new, up to the first Event that is not stored. */
  void write(List<PendingStatus> pending) {
    Set<String> known = HashSet.newHashSet(pending.size());
    pending.forEach(unit -> unit.pods().forEach(pod -> known.add(pod.uid())));
    written.keySet().retainAll(known);
    int pods = 0;
    for (PendingStatus unit : pending) {
      for (PodRef pod : isReported(unit) ? unit.pods() : List.<PodRef>of()) {
        if (unit.outcome() == written.get(pod.uid())) {
          continue;
        }
        if (++pods > PODS_PER_CYCLE
            || !leadership.isHeld()
            || !cluster.recordEvent(pod, notice(unit))) {
          return;
        }
        written.put(pod.uid(), unit.outcome());
      }
    }
  }

  /**
   * What the scheduler says itself is not repeated, and where nothing may be reclaimed at all
   * nothing is said.
   */
  private static boolean isReported(PendingStatus unit) {
    return switch (unit.outcome()) {
      case RECLAIMING -> true;
      case ON_HOLD, IMPOSSIBLE, SERVED_BY_OTHERS -> unit.candidates() > 0;
      case NEEDS_MORE, IN_GRACE, ENOUGH_FREE, FREED -> false;
    };
  }

  private static Notice notice(PendingStatus unit) {
    String devices = unit.amount();
    String whose = unit.group().map(group -> " for all pods of " + group).orElse("");
    return unit.outcome() == PendingOutcome.RECLAIMING
        ? new Notice("GPUsReclaimedForPod", devices + whose + ": " + unit.sentence() + ".", false)
        : new Notice(
            "NoGPUsReclaimedForPod",
            "Pending for " + devices + whose + ": " + unit.sentence() + ".",
            false);
  }
}
