package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.action.Action.ActionId;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Warning;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes and withdraws warnings on workloads.
 *
 * <p>A warning is Events, which people read, and annotations on every pod, which the next cycle and
 * the processes in the pods read. The messages and the Events come first: a warning that did not
 * reach everybody who must have it is not recorded, so the grace never starts without one. A write
 * that fails leaves the warning incomplete, and an incomplete warning is given again.
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
    Workload workload = step.workload();
    Notice warning = Notices.warning(step);
    Optional<String> undelivered = messenger.warn(step.verdict(), warning);
    if (undelivered.isPresent()) {
      postponements.add(step.verdict(), Optional.empty(), undelivered.get());
      return failed(step, "the warning was not delivered: " + undelivered.get());
    }
    if (!leadership.isHeld()) {
      return new StepResult(step, new ActionResult.NotLeading());
    }
    if (!cluster.recordEvent(workload.firstPod().ref(), warning)) {
      return failed(step, "the Event that warns could not be stored, so no warning is given");
    }
    Notices.onOwners(workload, Optional.of(step.verdict().action()))
        .forEach(owner -> recordOnOwner(owner, warning));
    ActionResult result = annotate(workload.pods(), written(step));
    if (result instanceof ActionResult.Failed(String why)) {
      // The Event is out, and another one in every cycle would not help.
      postponements.add(step.verdict(), Optional.empty(), why);
    }
    return new StepResult(step, result);
  }

  StepResult withdrawWarning(Step.Withdraw step) {
    if (dryRun) {
      return new StepResult(step, new ActionResult.DryRun());
    }
    Workload workload = step.workload();
    List<PodView> noted =
        workload.pods().stream().filter(pod -> Warning.isNoted(pod.annotations())).toList();
    ActionResult result = annotate(noted, with(Optional.empty(), Warning.removal()));
    if (result instanceof ActionResult.Done
        && step.verdict().why().isReported()
        && leadership.isHeld()) {
      Notice withdrawal = Notices.withdrawal(step.verdict());
      cluster.recordEvent(workload.firstPod().ref(), withdrawal);
      Notices.onOwners(workload, Optional.empty())
          .forEach(owner -> recordOnOwner(owner, withdrawal));
      messenger.send(step.verdict(), withdrawal);
    }
    return new StepResult(step, result);
  }

  /** Writes on one pod after the other, up to the first that does not take it. */
  private ActionResult annotate(List<PodView> pods, Map<String, Optional<String>> changes) {
    for (PodView pod : pods) {
      ActionResult result = annotate(pod, changes);
      if (!(result instanceof ActionResult.Done)) {
        return result;
      }
    }
    return new ActionResult.Done();
  }

  /** The kubelet changes a pod at any time: what is only outdated is read and written again. */
  private ActionResult annotate(PodView pod, Map<String, Optional<String>> changes) {
    if (!leadership.isHeld()) {
      return new ActionResult.NotLeading();
    }
    ActionResult result = cluster.annotate(pod, changes);
    Optional<PodView> newer =
        result instanceof ActionResult.Skipped ? cluster.fresh(pod.ref()) : Optional.empty();
    return newer.isPresent() && leadership.isHeld()
        ? cluster.annotate(newer.get(), changes)
        : result;
  }

  private void recordOnOwner(ObjectRef owner, Notice notice) {
    if (leadership.isHeld()) {
      cluster.recordEvent(owner, notice);
    }
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
