package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.execution.PreActionCheck.Recheck;
import io.gpureclaimer.reclaimer.execution.StepListener;
import io.gpureclaimer.reclaimer.execution.StepResult;
import io.gpureclaimer.reclaimer.plan.PlanHistory;
import io.gpureclaimer.reclaimer.plan.Step;
import java.util.function.BiFunction;

/**
 * Adds every action to the history before it is tried, and removes it when it is known not to have
 * happened: an action whose answer is lost may have been accepted. Confined to one thread.
 */
final class ActionTracker implements StepListener {
  private final BiFunction<PlanHistory, Step.Act, PlanHistory> after;
  private final StepListener next;
  private PlanHistory history;
  private PlanHistory before;

  /**
   * Begins with nothing tried.
   *
   * @param after the history after an action
   * @param next sees everything as well
   */
  ActionTracker(
      PlanHistory history,
      BiFunction<PlanHistory, Step.Act, PlanHistory> after,
      StepListener next) {
    this.history = history;
    this.before = history;
    this.after = after;
    this.next = next;
  }

  @Override
  public void onRecheck(Recheck recheck) {
    next.onRecheck(recheck);
  }

  @Override
  public void onBegin(Step step) {
    next.onBegin(step);
    before = history;
    if (step instanceof Step.Act act) {
      history = after.apply(history, act);
    }
  }

  @Override
  public void onResult(StepResult result) {
    if (!(result.result() instanceof ActionResult.Done)) {
      history = before;
    }
    next.onResult(result);
  }

  /** The history with all actions that may have happened. */
  PlanHistory history() {
    return history;
  }
}
