package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.plan.Step;

/** Sees each step while the plan is executed. The next step may find the API server unreachable. */
@FunctionalInterface
public interface StepListener {

  /** The step begins. */
  default void onBegin(Step step) {}

  /** The workload of the step was checked again. */
  default void onRecheck(PreActionCheck.Recheck recheck) {}

  /** The step is over. */
  void onResult(StepResult result);
}
