package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.cluster.Group;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.policy.Action;
import io.gpureclaimer.reclaimer.policy.HourRange;
import io.gpureclaimer.reclaimer.policy.Origin;
import io.gpureclaimer.reclaimer.policy.Remark;
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

  /** Nothing shall be done to it, or something that cannot be done yet. */
  record ActionWithheld(Action action, Origin origin) implements ReportOnly {}

  /** Its owner would recreate an evicted pod, which would take a GPU again. */
  record OwnerWouldRecreate(Owner owner) implements ReportOnly {}

  /** One of its owners could not be read, so nobody knows what an act would lead to. */
  record OwnerUnread(Owner owner) implements ReportOnly {}

  /** Its pods are of use only together, and no owner stands for them. */
  record GroupOfPods(Group group) implements ReportOnly {}

  /** Why a warning that was given before does not hold any more. */
  default Withdrawal withdrawal() {
    return switch (this) {
      case InProtectedHours _, Kept _ -> Withdrawal.PROTECTED_NOW;
      case ModeIsReport _,
          PolicyDistrusted _,
          ActionWithheld _,
          OwnerWouldRecreate _,
          OwnerUnread _,
          GroupOfPods _ ->
          Withdrawal.POLICY_CHANGED;
    };
  }
}
