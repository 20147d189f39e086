package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.evidence.Evidence.Active;
import io.gpureclaimer.reclaimer.evidence.Evidence.EvidenceSign;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.verdict.Verdict.Next;
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
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Says a verdict in one English sentence, without the workload's name and the final stop. */
public final class VerdictSentence {

  private VerdictSentence() {}

  /** The sentence. */
  public static String of(Verdict verdict) {
    return share(verdict) + whole(verdict);
  }

  /** The same for a step that has to wait, without the times that do not hold then. */
  public static String withoutTimes(Verdict verdict) {
    return verdict instanceof ToWarn toWarn ? share(verdict) + warningDue(toWarn) : of(verdict);
  }

  private static String share(Verdict verdict) {
    return verdict.workload().share().map(share -> share + ": ").orElse("");
  }

  private static String whole(Verdict verdict) {
    return switch (verdict) {
      case Protected(_, var protection) -> of(protection);
      case NotRunning(var workload, var pod) -> subject(workload, pod) + "not running (yet)";
      case Starting(var workload, var pod, var until) ->
          subject(workload, pod)
              + until
                  .map(at -> "starting, its idle time begins at " + text(at))
                  .orElse("not ready (yet)");
      case Vetoed(var workload, var pod, var signal) ->
          subject(workload, pod)
              + (signal.isKnown()
                  ? "its GPUs are idle, but it works: "
                  : "its GPUs are idle, but it is unknown whether it works: ")
              + of(signal);
      case Verdict.Active(var workload, var pod, var evidence) ->
          subject(workload, pod) + "in use, " + of(evidence) + byWhom(workload, pod);
      case Unknown(var workload, var pod, var evidence) ->
          subject(workload, pod) + evidence.reason();
      case Watching watching -> of(watching);
      case Reported(_, _, var idleFor, var idleAfter, var why) ->
          idle(idleFor) + ", over the limit of " + text(idleAfter) + "; only reported: " + of(why);
      case ToWarn toWarn -> of(toWarn);
      case Warned(_, _, var idleFor, var warnedAt, var mode, var remaining) ->
          idle(idleFor)
              + "; warned at "
              + text(warnedAt)
              + ", to be reclaimed in "
              + text(remaining)
              + when(mode);
      case Notified(_, _, var idleFor, var warnedAt) ->
          idle(idleFor) + "; warned at " + text(warnedAt) + ", no action follows";
      case ToWithdraw(_, var why) -> "the warning no longer holds: " + of(why);
      case Due(_, _, var idleFor, var warnedAt, var mode, _, _, _, _) ->
          idle(idleFor) + ", warned at " + text(warnedAt) + "; may be reclaimed" + when(mode);
    };
  }

  /** Which pod of several; nothing where the workload is the pod. */
  private static String subject(Workload workload, PodRef pod) {
    return workload.isSinglePod() ? "" : "pod " + pod.name() + ": ";
  }

  /** Which of the pods that share a GPU it works for is not known. */
  private static String byWhom(Workload workload, PodRef pod) {
    return workload.pods().stream()
            .anyMatch(each -> each.ref().equals(pod) && each.accelerators().shares())
        ? ", by this pod or another one that shares its GPU"
        : "";
  }

  /** Why a workload is protected. */
  public static String of(Protection protection) {
    return switch (protection) {
      case Protection.Untouchable(var pod, var why) -> "pod " + pod + ": " + why;
      case Protection.Terminating(var pod) -> "pod " + pod + " is terminating already";
      case Protection.OtherAccelerators(var pod) ->
          "pod " + pod + " has several GPU replicas or other accelerators, which are not judged";
      case Protection.SharedGpu(var pod, var gpu) ->
          "pod " + pod + " shares " + gpu + " with another pod";
      case Protection.NamespaceUnseen(var namespace) ->
          "the annotations of namespace " + namespace + " are not known";
      case Protection.Excluded(var object) -> "excluded by " + object;
      case Protection.OptedOutElsewhere(var object, var key, var value) ->
          object + " has " + key + ": \"" + value + "\"";
      case Protection.SwitchedOff(var origin) -> "the mode is off (" + of(origin) + ")";
    };
  }

  /** Where a value comes from. */
  public static String of(Origin origin) {
    return switch (origin) {
      case Origin.Defaults() -> "by default";
      case Origin.Annotation(var object) -> object;
      case Origin.Clamped(var object, var asked, var rule) ->
          object + " has " + asked + ": " + rule;
      case Origin.Detected(var because) -> "because " + because;
      case Origin.ByClass(var of) -> "by class " + of.text();
    };
  }

  /** Why a warning no longer holds. */
  public static String of(Withdrawal why) {
    return switch (why) {
      case ACTIVE_AGAIN -> "its GPUs work again";
      case VETOED -> "it works, though not with its GPUs";
      case STARTING -> "it has started again, or is not ready";
      case PROTECTED_NOW -> "it is left alone for now";
      case OTHER_IDLE_PERIOD -> "it was in use, or not observed, in between";
      case UNREADABLE -> "its annotations cannot be read";
      case INCOMPLETE -> "not every pod carries it";
      case IMPLAUSIBLE_TIME -> "it is dated in the future, or before the idle time began";
      case MODE_RAISED -> "the policy now allows more than it announced; a new warning follows";
      case POLICY_CHANGED -> "the policy has changed since";
      case ACTION_MADE -> "the action that it announced is made";
    };
  }

  /** Why an idle workload is only reported. */
  public static String of(ReportOnly why) {
    return switch (why) {
      case ReportOnly.ModeIsReport(var origin) -> "the mode is report (" + of(origin) + ")";
      case ReportOnly.PolicyDistrusted(var remark) -> remark.text();
      case ReportOnly.InProtectedHours(var hours, var origin) ->
          "these are protected hours, " + hours.text() + " (" + of(origin) + ")";
      case ReportOnly.Kept(var until, var origin) ->
          "to be kept until " + text(until) + " (" + of(origin) + ")";
      case ReportOnly.ActionWithheld(var action, var origin) ->
          of(action) + " (" + of(origin) + ")";
      case ReportOnly.ActionRefused(var refused) -> refused.reason();
    };
  }

  private static String of(ActionChoice action) {
    return action == ActionChoice.NONE
        ? "the action is none"
        : "the action is " + action.text() + ", which cannot be done yet";
  }

  /** What was measured, and how much of it still counts as idle. */
  private static String of(Signal signal) {
    return signal.what()
        + " is "
        + signal.valueText()
        + (signal.isKnown() ? ", limit " + signal.limitText() : "");
  }

  private static String of(Active evidence) {
    return evidence.sign() == EvidenceSign.RECORD
        ? "last active at " + text(evidence.lastActive())
        : "active within the last two minutes";
  }

  private static String of(Watching watching) {
    return idle(watching.idleFor())
        + " of "
        + text(watching.idleAfter())
        + watching.startedAfter().map(what -> ", after " + what).orElse("")
        + "; "
        + (watching.next() == Next.WARNING ? "warning" : "reported")
        + " in "
        + text(watching.remaining());
  }

  private static String of(ToWarn toWarn) {
    return warningDue(toWarn)
        + toWarn
            .actNotBefore()
            .map(at -> ", action at " + text(at) + " or later" + when(toWarn.mode()))
            .orElse(", no action follows");
  }

  private static String warningDue(ToWarn toWarn) {
    return idle(toWarn.idleFor()) + "; warning due";
  }

  private static String when(Mode mode) {
    return mode == Mode.ON_DEMAND ? " if a pending pod needs its GPUs" : "";
  }

  private static String idle(Duration idleFor) {
    return "idle for " + text(idleFor);
  }

  private static String text(Duration duration) {
    return Durations.format(duration);
  }

  private static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
