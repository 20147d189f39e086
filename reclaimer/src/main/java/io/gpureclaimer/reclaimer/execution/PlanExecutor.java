package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.Checkpoints.CheckpointStatus;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.RecheckOutcome;
import io.gpureclaimer.reclaimer.plan.Demand;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.plan.Step.Beneficiary;
import io.gpureclaimer.reclaimer.reclamation.OwnerReclaimer;
import io.gpureclaimer.reclaimer.reclamation.PodEvictor;
import io.gpureclaimer.reclaimer.reclamation.ReclamationReconciler;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Executes a plan, step by step, as long as this replica holds the lease. Every action, whichever
 * it is, comes after a check of the workload as it is now; a refusal postpones the workload.
 * Confined to the thread of the cycle.
 */
public final class PlanExecutor {
  private final Cluster cluster;
  private final Leadership leadership;
  private final Messenger messenger;
  private final WarningWriter warnings;
  private final PreActionCheck check;
  private final Checkpoints checkpoints;
  private final OwnerReclaimer owners;
  private final PodEvictor pods;
  private final Postponements postponements;
  private final RefusalNotices refusals;
  private final PendingNotices pending;
  private final boolean dryRun;

  public PlanExecutor(
      Cluster cluster,
      Leadership leadership,
      Messenger messenger,
      WarningWriter warnings,
      PreActionCheck check,
      Checkpoints checkpoints,
      OwnerReclaimer owners,
      PodEvictor pods,
      Postponements postponements,
      boolean dryRun) {
    this.cluster = cluster;
    this.leadership = leadership;
    this.messenger = messenger;
    this.warnings = warnings;
    this.check = check;
    this.checkpoints = checkpoints;
    this.owners = owners;
    this.pods = pods;
    this.postponements = postponements;
    this.refusals = new RefusalNotices(cluster, leadership);
    this.pending = new PendingNotices(cluster, leadership);
    this.dryRun = dryRun;
  }

  /**
   * Executes the plan.
   *
   * @param seen what the plan was made from
   * @param listener sees each step and its result
   * @return one result for each step that asks for one, in the order of the plan, but that actions
   *     which a checkpoint holds up come before others, which may be for the same pending pod
   */
  public List<StepResult> execute(Plan plan, Observation.Seen seen, StepListener listener) {
    checkpoints.collect();
    List<Step> steps =
        plan.entries().stream()
            .map(Plan.PlanEntry::step)
            .filter(step -> !(step instanceof Step.Wait))
            .sorted(
                Comparator.comparing((Step step) -> step instanceof Step.Act act && !isHeldUp(act)))
            .toList();
    var results = new ArrayList<StepResult>();
    for (Step step : steps) {
      listener.onBegin(step);
      StepResult result = execute(step, seen, results, listener);
      results.add(result);
      listener.onResult(result);
    }
    return results;
  }

  /**
   * Says on the workloads and their owners why idle GPUs are only reported, and on pending pods
   * what is reclaimed for them.
   */
  public void explain(List<Judgment> judgments, List<PendingStatus> pending) {
    if (!dryRun) {
      refusals.reported(judgments);
      this.pending.write(pending);
    }
  }

  private StepResult execute(
      Step step, Observation.Seen seen, List<StepResult> earlier, StepListener listener) {
    if (!leadership.isHeld()) {
      return new StepResult(step, new ActionResult.NotLeading());
    }
    return switch (step) {
      case Step.Warn warn -> warnings.give(warn);
      case Step.Withdraw withdraw -> warnings.withdrawWarning(withdraw);
      case Step.Act act
          when earlier.stream()
              .filter(
                  result -> !(result.result() instanceof ActionResult.Awaiting && isHeldUp(act)))
              .anyMatch(result -> leavesShort(result, act)) ->
          skipped(act, "its GPUs alone would not do, and another workload keeps its own");
      case Step.Act act -> act(act, seen, listener);
      case Step.Wait wait -> throw new IllegalStateException("nothing to execute in " + wait);
    };
  }

  /** Whether an earlier step left the pending unit without GPUs that it needs as well. */
  private static boolean leavesShort(StepResult earlier, Step.Act next) {
    boolean freed =
        earlier.result() instanceof ActionResult.Done
            || earlier.result() instanceof ActionResult.DryRun;
    return !freed
        && next.pending().isPresent()
        && earlier.step() instanceof Step.Act act
        && act.pending().map(Beneficiary::unit).equals(next.pending().map(Beneficiary::unit));
  }

  /** Its checkpoint is to be asked for, even while others for the same pending pod are awaited. */
  private boolean isHeldUp(Step.Act act) {
    return checkpoints.holdUp(act.verdict());
  }

  private StepResult act(Step.Act act, Observation.Seen seen, StepListener listener) {
    Optional<String> served = act.pending().flatMap(this::served);
    if (served.isPresent()) {
      return skipped(act, served.get());
    }
    RecheckOutcome outcome = check.check(act.verdict(), seen);
    outcome.recheck().ifPresent(listener::onRecheck);
    return switch (outcome) {
      case RecheckOutcome.Refuted(String why, _) -> skippedForNow(act, why);
      case RecheckOutcome.Confirmed _ when !leadership.isHeld() ->
          new StepResult(act, new ActionResult.NotLeading());
      case RecheckOutcome.Confirmed(Recheck recheck) when check.isRecent(recheck) ->
          carryOutAfterCheckpoint(act, recheck);
      case RecheckOutcome.Confirmed _ -> skippedForNow(act, "its recheck is too old");
    };
  }

  private StepResult carryOutAfterCheckpoint(Step.Act act, Recheck recheck) {
    return switch (checkpoints.request(act, recheck)) {
      case CheckpointStatus.Ready(var note) -> settled(act, carryOut(act, recheck, note), note);
      case CheckpointStatus.Running() ->
          new StepResult(
              act, new ActionResult.Awaiting("its checkpoint hook has not answered yet"));
      case CheckpointStatus.Unconfirmed(String why) ->
          settled(act, new ActionResult.Blocked(Optional.empty(), why), Optional.empty());
    };
  }

  private ActionResult carryOut(Step.Act act, Recheck recheck, Optional<String> note) {
    Workload fresh = recheck.verdict().workload();
    return switch (act.action()) {
      case Action.Evict evict ->
          pods.evict(evict, fresh, reason(act, note), () -> check.isRecent(recheck), dryRun);
      case Action.ChangeOwner change ->
          owners.reclaim(
              change,
              fresh,
              recheck.cluster().records(),
              reason(act, note),
              () -> check.isRecent(recheck),
              dryRun);
    };
  }

  private static OwnerReclaimer.StopReason reason(Step.Act act, Optional<String> note) {
    Verdict.Due due = act.verdict();
    return new OwnerReclaimer.StopReason(
        act.actionId().orElseThrow(),
        due.idleSince(),
        due.warnedAt(),
        act.demand().map(Demand::pod),
        VerdictSentence.of(due)
            + act.floorReason().map(floor -> "; " + floor).orElse("")
            + note.map(text -> "; " + text).orElse(""));
  }

  private StepResult settled(Step.Act act, ActionResult result, Optional<String> note) {
    return switch (result) {
      case ActionResult.Done _, ActionResult.DryRun _ -> accepted(act, result, note);
      case ActionResult.Skipped(var why) -> postponed(act, result, Optional.empty(), why);
      case ActionResult.Blocked(var retryAfter, var why) -> postponed(act, result, retryAfter, why);
      case ActionResult.Failed(var why) -> postponed(act, result, Optional.empty(), why);
      case ActionResult.Awaiting _, ActionResult.NotLeading _ -> new StepResult(act, result);
    };
  }

  private StepResult skippedForNow(Step.Act act, String why) {
    return settled(act, new ActionResult.Skipped(why), Optional.empty());
  }

  private StepResult postponed(
      Step.Act act, ActionResult result, Optional<Duration> retryAfter, String why) {
    Instant notBefore = postponements.add(act.verdict(), retryAfter, why);
    if (result instanceof ActionResult.Blocked && !dryRun) {
      refusals.refused(act, why, notBefore);
    }
    return new StepResult(act, result, Optional.of(notBefore));
  }

  private StepResult accepted(Step.Act act, ActionResult result, Optional<String> note) {
    postponements.forget(act.verdict());
    checkpoints.forget(act.verdict());
    if (result instanceof ActionResult.Done && leadership.isHeld()) {
      Workload workload = act.workload();
      Notice notice = Notices.action(act, note);
      cluster.recordEvent(workload.firstPod().ref(), notice);
      for (ObjectRef owner : Notices.onOwners(workload, Optional.of(act.action()))) {
        if (leadership.isHeld()) {
          cluster.recordEvent(owner, notice);
        }
      }
      messenger.send(act.verdict(), notice);
    }
    return new StepResult(act, result);
  }

  private static StepResult skipped(Step step, String why) {
    return new StepResult(step, new ActionResult.Skipped(why));
  }

  /** Why the action is no longer needed. */
  private Optional<String> served(Beneficiary beneficiary) {
    return switch (beneficiary) {
      case Beneficiary.PendingPod(var demand, _) when hasEnough(demand.pod()) ->
          Optional.of("pod " + demand.pod() + " is no longer pending");
      case Beneficiary.KeepFree keep when keep.isMet(cluster.view()) ->
          Optional.of(keep.floor().amount() + " are free now");
      case Beneficiary.PendingPod _, Beneficiary.KeepFree _ -> Optional.empty();
    };
  }

  private boolean hasEnough(PodRef waiting) {
    for (PodView pod : cluster.view().pods()) {
      if (pod.ref().uid().equals(waiting.uid())
          && pod.waiting().isPresent()
          && !pod.terminating()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sees each step while the plan is executed. The next step may find the API server unreachable.
   */
  @FunctionalInterface
  public interface StepListener extends ReclamationReconciler.RecordListener {

    /** The step begins. */
    default void onBegin(Step step) {}

    /** The workload of the step was checked again. */
    default void onRecheck(PreActionCheck.Recheck recheck) {}

    /** The step is over. */
    void onResult(StepResult result);
  }

  /**
   * Result of one step of a plan.
   *
   * @param notBefore when a step that was not done may be tried again; absent where that is not
   *     limited
   */
  public record StepResult(Step step, ActionResult result, Optional<Instant> notBefore) {
    public StepResult {
      if (result instanceof ActionResult.Blocked && notBefore.isEmpty()) {
        throw new IllegalArgumentException(
            "a blocked step needs the time of the next try: " + step);
      }
    }

    /** A result after which the step may be tried again at any time. */
    public StepResult(Step step, ActionResult result) {
      this(step, result, Optional.empty());
    }

    /** The result in a few words. */
    public String sentence() {
      return switch (result) {
        case ActionResult.Done _ -> "done";
        case ActionResult.DryRun _ -> "dry run, nothing was written";
        case ActionResult.Skipped(var why) -> "spared: " + why;
        case ActionResult.Blocked(_, var why) ->
            "not before " + notBefore.orElseThrow().truncatedTo(ChronoUnit.SECONDS) + ": " + why;
        case ActionResult.Awaiting(var why) -> "not yet: " + why;
        case ActionResult.Failed(var why) -> "failed: " + why;
        case ActionResult.NotLeading _ -> "left to the leader, which is another replica now";
      };
    }
  }
}
