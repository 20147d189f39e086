package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Verdict.Next;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.Warning.Withdrawal;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides on an idle workload: watch, warn, wait or reclaim. Confined to one decision.
 *
 * <p>A workload is warned or due only if an action can free its GPUs.
 */
final class IdleRule {
  /**
   * For longer than this, work of a CPU, and requests, are reported afterwards: an observation of
   * signals that begins so soon has missed nothing. A cycle that gives many warnings may take as
   * long.
   */
  private static final Duration REPORTED_AFTERWARDS = Duration.ofMinutes(4);

  private final Workload workload;
  private final EffectivePolicy policy;
  private final Instant idleSince;
  private final Duration idleFor;
  private final Optional<String> startedAfter;
  private final Optional<Duration> listened;
  private final WorkloadRules rules;
  private final Instant now;
  private final Duration maxSkew;

  /**
   * @param listened for how long its signals have been observed; empty where that is not necessary
   * @param rules of the workload
   */
  IdleRule(
      Workload workload,
      EffectivePolicy policy,
      WorkloadEvidence evidence,
      Optional<Duration> listened,
      WorkloadRules rules,
      Instant now,
      Duration maxSkew) {
    this.workload = workload;
    this.policy = policy;
    this.idleSince = evidence.idleSince();
    this.idleFor = evidence.idleFor();
    this.startedAfter = evidence.startedAfter();
    this.listened = listened;
    this.rules = rules;
    this.now = now;
    this.maxSkew = maxSkew;
  }

  Verdict judge() {
    return reportOnly().map(this::reported).orElseGet(this::warnedOrNot);
  }

  private Optional<ReportOnly> reportOnly() {
    return policy
        .distrusted()
        .<ReportOnly>map(ReportOnly.PolicyDistrusted::new)
        .or(this::modeIsReport)
        .or(this::inProtectedHours)
        .or(this::kept)
        .or(this::actionWithheld)
        .or(this::actionRefused);
  }

  private Optional<ReportOnly> actionRefused() {
    return rules
        .action()
        .flatMap(
            answer ->
                switch (answer) {
                  case ActionCheck.Possible _ -> Optional.empty();
                  case ActionCheck.Refused refused ->
                      Optional.of(new ReportOnly.ActionRefused(refused));
                });
  }

  private Optional<ReportOnly> modeIsReport() {
    return mode().exceeds(Mode.REPORT)
        ? Optional.empty()
        : Optional.of(new ReportOnly.ModeIsReport(policy.mode().origin()));
  }

  private Optional<ReportOnly> inProtectedHours() {
    return policy.protectedHours().stream()
        .flatMap(
            hours ->
                hours.value().at(now).stream()
                    .map(range -> new ReportOnly.InProtectedHours(range, hours.origin())))
        .<ReportOnly>map(why -> why)
        .findFirst();
  }

  private Optional<ReportOnly> kept() {
    return policy.keeps().stream()
        .filter(keep -> keep.value().holds(idleFor, now))
        .<ReportOnly>map(keep -> new ReportOnly.Kept(keep.value().until(), keep.origin()))
        .findFirst();
  }

  private Optional<ReportOnly> actionWithheld() {
    Setting<ActionChoice> choice = policy.action();
    return rules.action().isPresent()
        ? Optional.empty()
        : Optional.of(new ReportOnly.ActionWithheld(choice.value(), choice.origin()));
  }

  private Verdict reported(ReportOnly why) {
    if (rules.isWarned()) {
      return new Verdict.ToWithdraw(workload, why.withdrawal());
    }
    Duration remaining = idleAfter().minus(idleFor);
    return remaining.isPositive()
        ? watching(Next.REPORT, remaining)
        : new Verdict.Reported(workload, idleSince, idleFor, idleAfter(), why);
  }

  private Verdict warnedOrNot() {
    return switch (rules.note()) {
      case Warning.Note.None() -> notWarned();
      case Warning.Note.Unreadable() -> new Verdict.ToWithdraw(workload, Withdrawal.UNREADABLE);
      case Warning.Note.Incomplete() ->
          notWarned() instanceof Verdict.ToWarn again
              ? again
              : new Verdict.ToWithdraw(workload, Withdrawal.INCOMPLETE);
      case Warning.Note.Given(var warning) ->
          warning
              .voidedBy(idleSince, mode(), now, maxSkew)
              .or(() -> unheard(warning))
              .<Verdict>map(why -> new Verdict.ToWithdraw(workload, why))
              .orElseGet(() -> warned(warning));
    };
  }

  private Verdict notWarned() {
    Duration remaining = policy.warnAfter().minus(idleFor);
    if (remaining.isPositive()) {
      return watching(Next.WARNING, remaining);
    }
    Optional<Instant> actNotBefore =
        mode().acts()
            ? Optional.of(now.plus(longer(policy.warnBefore().value(), unproven())))
            : Optional.empty();
    return new Verdict.ToWarn(
        workload,
        idleSince,
        idleFor,
        mode(),
        actNotBefore,
        actNotBefore.flatMap(this::keepUntil),
        action());
  }

  private Optional<Instant> keepUntil(Instant actNotBefore) {
    return Optional.of(policy.honoredUntil(idleFor, now)).filter(actNotBefore::isBefore);
  }

  /** Remaining time until the idle limit is proven. */
  private Duration unproven() {
    Duration proven = listened.filter(time -> time.compareTo(idleFor) < 0).orElse(idleFor);
    return idleAfter().minus(proven);
  }

  /**
   * The replica that warned had observed the signals until then; but after that there may be a gap.
   */
  private Optional<Withdrawal> unheard(Warning warning) {
    Duration unobserved = Duration.between(warning.warnedAt(), now).minus(REPORTED_AFTERWARDS);
    return listened
        .filter(time -> mode().acts() && time.compareTo(unobserved) < 0)
        .map(_ -> Withdrawal.OTHER_IDLE_PERIOD);
  }

  private Verdict warned(Warning warning) {
    if (!mode().acts()) {
      return new Verdict.Notified(workload, idleSince, idleFor, warning.warnedAt());
    }
    Duration remaining =
        longer(idleAfter().minus(idleFor), warning.remaining(policy.warnBefore().value(), now));
    return remaining.isPositive()
        ? new Verdict.Warned(workload, idleSince, idleFor, warning.warnedAt(), mode(), remaining)
        : new Verdict.Due(
            workload,
            idleSince,
            idleFor,
            warning.warnedAt(),
            mode(),
            action(),
            policy.workloadClass().value(),
            policy.sparedIfNeededSoon(),
            OwnPast.NONE);
  }

  private Verdict watching(Next next, Duration remaining) {
    return new Verdict.Watching(
        workload, idleSince, idleFor, startedAfter, idleAfter(), next, remaining);
  }

  private Action action() {
    return rules
        .action()
        .filter(ActionCheck.Possible.class::isInstance)
        .map(ActionCheck.Possible.class::cast)
        .orElseThrow()
        .action();
  }

  private Mode mode() {
    return policy.mode().value();
  }

  private Duration idleAfter() {
    return policy.idleAfter().value();
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
