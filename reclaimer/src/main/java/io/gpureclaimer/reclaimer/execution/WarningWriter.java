package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.Action.ActionId;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Warning;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes warnings on workloads and takes them back.
 *
 * <p>A warning is an Event, which people read, and annotations, which the next cycle reads. The
 * messages and the Event come first: a warning that did not reach everybody who must have it is not
 * recorded, so the grace never starts without one.
 */
public final class WarningWriter {
  private static final long ALMOST_A_SECOND = 999_999_999;

  private final Cluster cluster;
  private final Leadership leadership;
  private final Messenger messenger;
  private final Postponements postponements;
  private final Clock clock;
  private final boolean dryRun;

  public WarningWriter(
      Cluster cluster,
      Leadership leadership,
      Messenger messenger,
      Postponements postponements,
      Clock clock,
      boolean dryRun) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.messenger = messenger;
    this.postponements = postponements;
    this.clock = clock;
    this.dryRun = dryRun;
  }

  StepResult give(Step.Warn step) {
    if (dryRun) {
      return new StepResult(step, new ActionResult.DryRun());
    }
    PodView pod = step.workload().firstPod();
    Notice warning = Notices.warning(step);
    Optional<String> undelivered = messenger.warn(step.verdict(), warning);
    if (undelivered.isPresent()) {
      postponements.add(step.verdict(), Optional.empty(), undelivered.get());
      return failed(step, "the warning was not delivered: " + undelivered.get());
    }
    if (!leadership.isHeld()) {
      return new StepResult(step, new ActionResult.NotLeading());
    }
    if (!cluster.tell(pod.ref(), warning)) {
      return failed(step, "the Event that warns could not be stored, so nobody is warned");
    }
    if (step.verdict().action() instanceof Action.ChangeOwner change && leadership.isHeld()) {
      cluster.tell(change.target(step.workload()).ref(), warning);
    }
    if (!leadership.isHeld()) {
      return new StepResult(step, new ActionResult.NotLeading());
    }
    ActionResult result = cluster.annotate(pod, written(step));
    if (result instanceof ActionResult.Failed(String why)) {
      // The Event is out, and another one in every cycle would not help.
      postponements.add(step.verdict(), Optional.empty(), why);
    }
    return new StepResult(step, result);
  }

  StepResult takeBack(Step.Withdraw step) {
    if (dryRun) {
      return new StepResult(step, new ActionResult.DryRun());
    }
    PodView pod = step.workload().firstPod();
    ActionResult result = cluster.annotate(pod, with(Optional.empty(), Warning.removal()));
    if (result instanceof ActionResult.Done && leadership.isHeld()) {
      Notice withdrawal = Notices.withdrawal(step.verdict());
      cluster.tell(pod.ref(), withdrawal);
      messenger.tell(step.verdict(), withdrawal);
    }
    return new StepResult(step, result);
  }

  private Map<String, Optional<String>> written(Step.Warn step) {
    return with(step.actionId(), Warning.of(step.verdict(), nextSecond()).annotations());
  }

  private static Map<String, Optional<String>> with(
      Optional<ActionId> id, Map<String, Optional<String>> changes) {
    var all = new HashMap<>(changes);
    all.put(Annotations.ACTION_ID, id.map(ActionId::value));
    return all;
  }

  private static StepResult failed(Step step, String why) {
    return new StepResult(step, new ActionResult.Failed(why));
  }

  /** The grace is counted from here; rounded down, it would be a moment too short. */
  private Instant nextSecond() {
    return clock.instant().plusNanos(ALMOST_A_SECOND).truncatedTo(ChronoUnit.SECONDS);
  }
}
