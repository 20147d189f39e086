package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Verdict.NotRunning;
import io.gpureclaimer.reclaimer.verdict.Verdict.Notified;
import io.gpureclaimer.reclaimer.verdict.Verdict.Protected;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.Verdict.Reported;
import io.gpureclaimer.reclaimer.verdict.Verdict.Starting;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWarn;
import io.gpureclaimer.reclaimer.verdict.Verdict.ToWithdraw;
import io.gpureclaimer.reclaimer.verdict.Verdict.Unknown;
import io.gpureclaimer.reclaimer.verdict.Verdict.Vetoed;
import io.gpureclaimer.reclaimer.verdict.Verdict.Warned;
import io.gpureclaimer.reclaimer.verdict.Verdict.Watching;

/**
 * A verdict in stable words for metrics and JSON; there are few of them, whatever the cluster.
 *
 * @param verdict which way it went
 * @param reason why, within that way; the verdict again where there is only one reason
 */
public record VerdictCode(String verdict, String reason) {

  /** The code of a verdict. */
  public static VerdictCode of(Verdict verdict) {
    return switch (verdict) {
      case Protected(_, var protection) -> new VerdictCode("protected", reason(protection));
      case NotRunning _ -> only("not-running");
      case Starting _ -> only("starting");
      case Vetoed(_, _, var signal) -> new VerdictCode("vetoed", signal.kind().code());
      case Verdict.Active _ -> only("active");
      case Unknown(_, _, var evidence) -> new VerdictCode("unknown", evidence.cause().code());
      case Watching _ -> only("watching");
      case Reported(_, _, _, _, var why) -> new VerdictCode("reported", reason(why));
      case ToWarn _ -> only("to-warn");
      case Warned _ -> only("warned");
      case Notified _ -> only("notified");
      case ToWithdraw(_, var why) -> new VerdictCode("to-withdraw", why.code());
      case Due due -> new VerdictCode("due", due.mode().text());
    };
  }

  private static VerdictCode only(String verdict) {
    return new VerdictCode(verdict, verdict);
  }

  private static String reason(Protection protection) {
    return switch (protection) {
      case Protection.Untouchable _ -> "untouchable";
      case Protection.Terminating _ -> "terminating";
      case Protection.OtherAccelerators _ -> "other-accelerators";
      case Protection.SharedGpu _ -> "shared-gpu";
      case Protection.NamespaceUnseen _ -> "namespace-unseen";
      case Protection.Excluded _ -> "excluded";
      case Protection.OptedOutElsewhere _ -> "opted-out-elsewhere";
      case Protection.SwitchedOff _ -> "mode-off";
    };
  }

  private static String reason(ReportOnly why) {
    return switch (why) {
      case ReportOnly.ModeIsReport _ -> "mode-report";
      case ReportOnly.PolicyDistrusted _ -> "policy-distrusted";
      case ReportOnly.InProtectedHours _ -> "protected-hours";
      case ReportOnly.Kept _ -> "kept";
      case ReportOnly.ActionWithheld _ -> "action-withheld";
      case ReportOnly.ActionRefused(var refused) -> refused.code();
    };
  }
}
