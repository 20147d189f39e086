package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.audit.Eviction;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.PlanHistory.FollowUp;
import io.gpureclaimer.reclaimer.plan.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Evictions of the last week, the newest first. Confined to the thread of the cycle. */
final class RecentEvictions {
  private static final int MOST = 500;

  private final List<Eviction> newestFirst = new ArrayList<>();

  /** Remembers an eviction that was accepted. */
  void onResult(StepResult result, Instant now) {
    if (result.step() instanceof Step.Act act
        && act.action() instanceof Action.Evict
        && result.result() instanceof ActionResult.Done) {
      newestFirst.addFirst(new Eviction(act, now));
      if (newestFirst.size() > MOST) {
        newestFirst.removeLast();
      }
    }
  }

  /** Those of the last week, with the pods that have come back. */
  List<Eviction> after(List<FollowUp> followUps, Instant now) {
    newestFirst.removeIf(one -> one.age(now).compareTo(Reclamation.COUNTS_FOR) >= 0);
    for (FollowUp followUp : followUps) {
      if (followUp instanceof FollowUp.Recreated recreated) {
        follow(recreated, now);
      }
    }
    return List.copyOf(newestFirst);
  }

  /** An earlier eviction of the name was followed by a pod that came back too late. */
  private void follow(FollowUp.Recreated recreated, Instant now) {
    for (int i = 0; i < newestFirst.size(); i++) {
      if (newestFirst.get(i).isOpenOf(recreated.pod())) {
        newestFirst.set(i, newestFirst.get(i).recreated(now));
        return;
      }
    }
  }
}
