package io.gpureclaimer.reclaimer.execution;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.plan.Step;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Result of one step of a plan.
 *
 * @param notBefore when a step that was not done may be tried again; absent where that is not
 *     limited
 */
public record StepResult(Step step, ActionResult result, Optional<Instant> notBefore) {
  public StepResult {
    if (result instanceof ActionResult.Blocked && notBefore.isEmpty()) {
      throw new IllegalArgumentException("a blocked step needs the time of the next try: " + step);
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
      case ActionResult.Failed(var why) -> "failed: " + why;
      case ActionResult.NotLeading _ -> "left to the leader, which is another replica now";
    };
  }
}
