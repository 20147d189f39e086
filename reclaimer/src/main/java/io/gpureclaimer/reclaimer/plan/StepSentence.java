package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.plan.Step.Evict;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.plan.Step.Warn;
import io.gpureclaimer.reclaimer.plan.Step.Withdraw;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.time.Duration;
import java.time.Instant;

/** Says a step in one English sentence, without the workload's name and the final stop. */
public final class StepSentence {

  private StepSentence() {}

  /** The sentence. */
  public static String of(Step step, Instant now) {
    return VerdictSentence.of(step.verdict()) + addition(step, now);
  }

  private static String addition(Step step, Instant now) {
    return switch (step) {
      case Warn _, Withdraw _ -> "";
      case Evict(_, var forWhom) ->
          forWhom.map(demand -> ": evicted so that " + of(demand, now)).orElse(": evicted");
      case Wait(_, var why) -> ", but not now: " + of(why);
    };
  }

  private static String of(Demand demand, Instant now) {
    return "pod "
        + demand.pod()
        + " can run, which has waited "
        + Durations.format(Duration.between(demand.since(), now))
        + " for "
        + demand.gpus()
        + (demand.gpus() == 1 ? " GPU" : " GPUs");
  }

  private static String of(NotNow why) {
    return switch (why) {
      case NOBODY_WAITS -> "no pod waits for GPUs alone";
      case NOT_NEEDED -> "no waiting pod needs it";
      case BUDGET_SPENT -> "as many as allowed are being evicted";
      case BUDGET_TOO_SMALL -> "the waiting pod needs more evictions than are allowed at a time";
      case NAMESPACE_BUDGET_SPENT -> "as many of its namespace as allowed are being evicted";
      case NAMESPACE_HOUR_SPENT -> "as many of its namespace as allowed in an hour were evicted";
      case OWNER_DAY_SPENT -> "it was evicted as often as is allowed in a day";
      case HOUR_SPENT -> "as many as allowed in an hour were evicted";
      case GPU_SHARE_SPENT -> "as many GPUs as allowed in an hour were reclaimed";
      case COOLING_DOWN ->
          "somebody created it again after its last eviction, so it is left alone for a while";
      case PRIORITY_TOO_HIGH -> "its priority is higher than its namespace allows a victim to have";
      case BREAKER_OPEN -> "the circuit breaker is open";
    };
  }
}
