package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.Evidence;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.ProtectedHours.HourRange;
import io.gpureclaimer.reclaimer.policy.WorkloadClass;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Judgment of one workload. A value only: nothing has been done to the workload.
 *
 * <p>{@code idleSince} is of the node's clock and names an idle period; {@code idleFor} is its
 * length, measured by that clock alone.
 */
public sealed interface Verdict {

  Workload workload();

  /** Left alone, however idle it is. */
  record Protected(Workload workload, Protection protection) implements Verdict {}

  /** A pod that is about to have GPUs, or may have them, does not run. */
  record NotRunning(Workload workload, PodRef pod) implements Verdict {}

  /**
   * It has started and may be loading, so it is not idle yet.
   *
   * @param until when its startup grace ends; absent while the pod is not ready
   */
  record Starting(Workload workload, PodRef pod, Optional<Instant> until) implements Verdict {}

  /** Its GPUs are idle, but something else says that it works. */
  record Vetoed(Workload workload, PodRef pod, Signal signal) implements Verdict {}

  /** In use: at least one GPU of one of its pods works. */
  record Active(Workload workload, PodRef pod, Evidence.Active evidence) implements Verdict {}

  /** It is unknown whether one of its pods is idle. */
  record Unknown(Workload workload, PodRef pod, Evidence.Unknown evidence) implements Verdict {}

  /**
   * Idle, but not for long enough.
   *
   * @param startedAfter for people, what its idle time began after, where that was not the work of
   *     its GPUs
   * @param idleAfter how long it must have been idle
   * @param next what comes when it stays idle
   * @param remaining until that comes; positive
   */
  record Watching(
      Workload workload,
      Instant idleSince,
      Duration idleFor,
      Optional<String> startedAfter,
      Duration idleAfter,
      Next next,
      Duration remaining)
      implements Verdict {
    public Watching {
      if (!remaining.isPositive()) {
        throw new IllegalArgumentException("remaining must be positive, was " + remaining);
      }
    }
  }

  /** Idle for long enough, and only reported on. */
  record Reported(
      Workload workload, Instant idleSince, Duration idleFor, Duration idleAfter, ReportOnly why)
      implements Verdict {}

  /**
   * To be warned now.
   *
   * @param mode under which it is warned
   * @param actNotBefore when it can become due; absent in a mode that never acts
   * @param keepUntil the latest time until which its owner can keep it; absent in a mode that never
   *     acts, and where the owner has kept it for as long as is allowed
   * @param action that the warning announces, or would if the mode acted
   */
  record ToWarn(
      Workload workload,
      Instant idleSince,
      Duration idleFor,
      Mode mode,
      Optional<Instant> actNotBefore,
      Optional<Instant> keepUntil,
      Action action)
      implements Verdict {
    public ToWarn {
      if (mode.acts() != actNotBefore.isPresent()) {
        throw new IllegalArgumentException(mode.text() + " and an action at " + actNotBefore);
      }
    }
  }

  /**
   * Warned, with time left.
   *
   * @param warnedAt when, by our clock
   * @param mode under which it is warned; one that acts
   * @param remaining until it can become due; positive
   */
  record Warned(
      Workload workload,
      Instant idleSince,
      Duration idleFor,
      Instant warnedAt,
      Mode mode,
      Duration remaining)
      implements Verdict {
    public Warned {
      if (!remaining.isPositive()) {
        throw new IllegalArgumentException("remaining must be positive, was " + remaining);
      }
    }
  }

  /** Warned, and nothing will follow. */
  record Notified(Workload workload, Instant idleSince, Duration idleFor, Instant warnedAt)
      implements Verdict {}

  /** Carries a warning that no longer holds: take it back. */
  record ToWithdraw(Workload workload, Withdrawal why) implements Verdict {}

  /**
   * Idle for long enough, and warned for long enough: may be reclaimed now.
   *
   * @param warnedAt when, by our clock
   * @param mode whether at once, or only for a pending pod
   * @param action that frees its GPUs
   * @param workloadClass by which it is estimated how soon it works again
   * @param sparedIfNeededSoon whether it is spared on demand while it is likely to be needed again,
   *     if no limit is set for that
   * @param past by which that is estimated as well
   */
  record Due(
      Workload workload,
      Instant idleSince,
      Duration idleFor,
      Instant warnedAt,
      Mode mode,
      Action action,
      WorkloadClass workloadClass,
      boolean sparedIfNeededSoon,
      OwnPast past)
      implements Verdict {

    /** The same with another past. */
    public Due with(OwnPast other) {
      return new Due(
          workload,
          idleSince,
          idleFor,
          warnedAt,
          mode,
          action,
          workloadClass,
          sparedIfNeededSoon,
          other);
    }

    /** Of a workload of which nothing says what it is for, and that is not spared. */
    public Due(
        Workload workload,
        Instant idleSince,
        Duration idleFor,
        Instant warnedAt,
        Mode mode,
        Action action) {
      this(
          workload,
          idleSince,
          idleFor,
          warnedAt,
          mode,
          action,
          WorkloadClass.OTHER,
          false,
          OwnPast.NONE);
    }

    public Due {
      if (!mode.acts()) {
        throw new IllegalArgumentException("mode " + mode.text() + " never acts");
      }
    }
  }

  /** How long the workload has been idle; empty if it is not, or if that is unknown. */
  default Optional<Duration> idleTime() {
    return switch (this) {
      case Watching(_, _, var idleFor, _, _, _, _) -> Optional.of(idleFor);
      case Reported(_, _, var idleFor, _, _) -> Optional.of(idleFor);
      case ToWarn toWarn -> Optional.of(toWarn.idleFor());
      case Warned(_, _, var idleFor, _, _, _) -> Optional.of(idleFor);
      case Notified(_, _, var idleFor, _) -> Optional.of(idleFor);
      case Due due -> Optional.of(due.idleFor());
      case Protected _, NotRunning _, Starting _, Vetoed _, Active _, Unknown _, ToWithdraw _ ->
          Optional.empty();
    };
  }

  /** Whether it asks for a warning or an action. */
  default boolean asksForMore() {
    return switch (this) {
      case ToWarn _, Due _ -> true;
      case Protected _,
          NotRunning _,
          Starting _,
          Vetoed _,
          Active _,
          Unknown _,
          Watching _,
          Reported _,
          Warned _,
          Notified _,
          ToWithdraw _ ->
          false;
    };
  }

  /** What comes next when a workload stays idle. */
  enum Next {
    WARNING,
    REPORT
  }

  /** Why an idle workload is only reported on. */
  public sealed interface ReportOnly {

    /** The mode is report. */
    record ModeIsReport(Origin origin) implements ReportOnly {}

    /** An annotation cannot be understood. */
    record PolicyDistrusted(Remark remark) implements ReportOnly {}

    /** These are hours in which it is left alone. */
    record InProtectedHours(HourRange hours, Origin origin) implements ReportOnly {}

    /** An annotation keeps it for a while. */
    record Kept(Instant until, Origin origin) implements ReportOnly {}

    /** The policy asks for no action, or for one that this program does not have. */
    record ActionWithheld(ActionChoice action, Origin origin) implements ReportOnly {}

    /** No action can free its GPUs now. */
    record ActionRefused(ActionCheck.Refused refused) implements ReportOnly {}

    /** Why a warning that was given before no longer holds. */
    default Withdrawal withdrawal() {
      return switch (this) {
        case InProtectedHours _, Kept _ -> Withdrawal.PROTECTED_NOW;
        case ActionRefused(var refused) when refused.code().equals(Judge.STOPPED_ALREADY) ->
            Withdrawal.ACTION_MADE;
        case ModeIsReport _, PolicyDistrusted _, ActionWithheld _, ActionRefused _ ->
            Withdrawal.POLICY_CHANGED;
      };
    }
  }
}
