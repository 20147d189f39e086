package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.plan.Step;

/** The stable names of steps and deeds, as they stand in metrics, logs and on screens. */
public final class Names {
  private Names() {}

  /** The step in one word. */
  public static String of(Step step) {
    return switch (step) {
      case Step.Warn _ -> "warn";
      case Step.Withdraw _ -> "withdraw";
      case Step.Evict _ -> "evict";
      case Step.Wait _ -> "wait";
    };
  }

  /** The deed's outcome in one word. */
  public static String of(Deed deed) {
    return switch (deed) {
      case Deed.Done _ -> "done";
      case Deed.Rehearsed _ -> "rehearsed";
      case Deed.Spared _ -> "spared";
      case Deed.Postponed _ -> "postponed";
      case Deed.Failed _ -> "failed";
      case Deed.NotLeading _ -> "not-leading";
    };
  }
}
