package io.gpureclaimer.reclaimer.act;

import java.time.temporal.ChronoUnit;

/** Says what came of a step, in a few words. */
public final class DeedSentence {
  private DeedSentence() {}

  /** The words. */
  public static String of(Deed deed) {
    return switch (deed) {
      case Deed.Done _ -> "done";
      case Deed.Rehearsed _ -> "dry run, nothing was written";
      case Deed.Spared(_, var why) -> "spared: " + why;
      case Deed.Postponed(_, var notBefore, var why) ->
          "not before " + notBefore.truncatedTo(ChronoUnit.SECONDS) + ": " + why;
      case Deed.Failed(_, var why) -> "failed: " + why;
      case Deed.NotLeading _ -> "left to the leader, which is another replica now";
    };
  }
}
