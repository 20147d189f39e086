package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Says what will happen to a workload, and when, if nothing changes. */
final class Outlook {
  private static final String NOTHING = "nothing, as long as this is so";

  private Outlook() {}

  /**
   * The sentence, without its final stop.
   *
   * @param now when the verdict was made
   */
  static String of(Verdict verdict, Instant now) {
    return switch (verdict) {
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Active _,
          Verdict.Unknown _,
          Verdict.Vetoed _,
          Verdict.Reported _ ->
          NOTHING;
      case Verdict.Starting(_, _, var until) ->
          until.map(at -> "its idle time begins at " + text(at)).orElse(NOTHING);
      case Verdict.Watching(_, _, _, _, _, var next, var remaining) ->
          switch (next) {
            case WARNING -> "a warning" + at(now, remaining) + ", if it stays idle";
            case REPORT -> "it is reported" + at(now, remaining) + ", if it stays idle";
          };
      case Verdict.ToWarn(_, _, _, var mode, var actNotBefore, _) ->
          "a warning now"
              + actNotBefore
                  .map(at -> "; then it is reclaimed at " + text(at) + " or later" + when(mode))
                  .orElse("; nothing follows");
      case Verdict.Warned(_, _, _, _, var mode, var remaining) ->
          "it is reclaimed" + at(now, remaining) + " or later, if it stays idle" + and(mode);
      case Verdict.Notified _ -> "nothing follows the warning";
      case Verdict.ToWithdraw _ -> "the warning is taken back now";
      case Verdict.Due due ->
          switch (due.mode()) {
            case ALWAYS -> "it is reclaimed as soon as a second look confirms it";
            case ON_DEMAND ->
                "it is reclaimed as soon as a waiting pod needs its GPUs and a second look confirms"
                    + " it";
            case OFF, REPORT, NOTIFY ->
                throw new IllegalArgumentException("mode " + due.mode().text() + " never acts");
          };
    };
  }

  private static String at(Instant now, Duration remaining) {
    return " at " + text(now.plus(remaining)) + ", in " + Durations.format(remaining);
  }

  private static String when(Mode mode) {
    return mode == Mode.ON_DEMAND ? ", if a waiting pod needs its GPUs" : "";
  }

  private static String and(Mode mode) {
    return mode == Mode.ON_DEMAND ? " and a waiting pod needs its GPUs" : "";
  }

  private static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
