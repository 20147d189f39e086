package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.ProtectedHours.HourRange;
import io.gpureclaimer.reclaimer.policy.Remark;
import io.gpureclaimer.reclaimer.policy.Setting.Origin;
import java.time.Instant;

/** Why an idle workload is only reported on. */
public sealed interface ReportOnly {

  /** The mode is report. */
  record ModeIsReport(Origin origin) implements ReportOnly {}

  /** An annotation cannot be understood. */
  record PolicyDistrusted(Remark remark) implements ReportOnly {}

  /** These are hours in which it is left alone. */
  record InProtectedHours(HourRange hours, Origin origin) implements ReportOnly {}

  /** Somebody wants to keep it for a while. */
  record Kept(Instant until, Origin origin) implements ReportOnly {}

  /** The policy asks for no action, or for one that this program does not have. */
  record ActionWithheld(ActionChoice action, Origin origin) implements ReportOnly {}

  /** No action can free its GPUs now. */
  record ActionRefused(ActionCheck.Refused refused) implements ReportOnly {}

  /** Why a warning that was given before does not hold any more. */
  default Withdrawal withdrawal() {
    return switch (this) {
      case InProtectedHours _, Kept _ -> Withdrawal.PROTECTED_NOW;
      case ModeIsReport _, PolicyDistrusted _, ActionWithheld _, ActionRefused _ ->
          Withdrawal.POLICY_CHANGED;
    };
  }
}
