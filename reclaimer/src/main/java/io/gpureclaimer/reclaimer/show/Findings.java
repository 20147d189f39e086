package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.action.Action.Check;
import io.gpureclaimer.reclaimer.action.Actions;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.Protection;
import io.gpureclaimer.reclaimer.verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which rules a judgment looked at, and which of them decided it. Rules that were not reached are
 * not claimed to have let pass.
 */
final class Findings {
  private Findings() {}

  /** One finding for each rule, in the order of the judge. */
  static List<Finding> of(Judgment judgment) {
    Optional<Rule> decider = decider(judgment);
    return Arrays.stream(Rule.values()).map(rule -> finding(rule, decider, judgment)).toList();
  }

  private static Finding finding(Rule rule, Optional<Rule> decider, Judgment judgment) {
    if (decider.filter(rule::equals).isPresent()) {
      return new Finding(
          rule.code(), Finding.Outcome.STOPPED, VerdictSentence.of(judgment.verdict()));
    }
    Optional<String> known = obstacle(rule, judgment);
    if (known.isPresent()) {
      return new Finding(rule.code(), Finding.Outcome.STOPPED, known.get());
    }
    return decider.filter(last -> rule.compareTo(last) > 0).isEmpty()
        ? new Finding(rule.code(), Finding.Outcome.PASSED, rule.passed())
        : new Finding(
            rule.code(), Finding.Outcome.NOT_REACHED, "not asked whether " + rule.passed());
  }

  /** What is known to stand against it whichever rule came first. */
  private static Optional<String> obstacle(Rule rule, Judgment judgment) {
    Optional<EffectivePolicy> policy = judgment.policy();
    return switch (rule) {
      case NOT_EXCLUDED ->
          policy.flatMap(EffectivePolicy::excludedBy).map(object -> "excluded by " + object);
      case SWITCHED_ON -> modeAtMost(Mode.OFF, policy);
      case UNDERSTOOD -> policy.flatMap(EffectivePolicy::distrusted).map(remark -> remark.text());
      case MAY_BE_WARNED -> modeAtMost(Mode.REPORT, policy);
      case ACTION_AVAILABLE ->
          policy
              .map(EffectivePolicy::action)
              .filter(action -> Actions.allowedBy(action.value().text()).isEmpty())
              .map(
                  action ->
                      "the action is "
                          + action.value().text()
                          + " ("
                          + VerdictSentence.of(action.origin())
                          + ")");
      case BARE_POD -> refusal(judgment.verdict().workload());
      case NAMESPACE_KNOWN,
          TOUCHABLE,
          NOT_TERMINATING,
          COUNTABLE,
          NOT_SHARED,
          NOT_OPTED_OUT,
          AT_REST,
          RUNNING,
          OBSERVED,
          STARTED,
          NO_OTHER_WORK,
          OUTSIDE_PROTECTED_HOURS,
          NOT_KEPT,
          IDLE_FOR_LONG,
          WARNING_HOLDS,
          WARNED,
          MAY_BE_RECLAIMED,
          GRACE_OVER ->
          Optional.empty();
    };
  }

  private static Optional<String> refusal(Workload workload) {
    return switch (Actions.check(workload)) {
      case Check.Possible _ -> Optional.empty();
      case Check.Refused(_, var obstacle, _) -> Optional.of(obstacle);
    };
  }

  private static Optional<String> modeAtMost(Mode most, Optional<EffectivePolicy> policy) {
    return policy
        .map(EffectivePolicy::mode)
        .filter(mode -> !mode.value().exceeds(most))
        .map(
            mode ->
                "the mode is "
                    + mode.value().text()
                    + " ("
                    + VerdictSentence.of(mode.origin())
                    + ")");
  }

  /** The rule that decided; none where all of them let pass. */
  private static Optional<Rule> decider(Judgment judgment) {
    return switch (judgment.verdict()) {
      case Verdict.Protected(_, var protection) -> Optional.of(decider(protection));
      case Verdict.Active _ -> Optional.of(Rule.AT_REST);
      case Verdict.NotRunning _ -> Optional.of(Rule.RUNNING);
      case Verdict.Starting _ -> Optional.of(Rule.STARTED);
      case Verdict.Vetoed _ -> Optional.of(Rule.NO_OTHER_WORK);
      case Verdict.Unknown _ -> Optional.of(Rule.OBSERVED);
      case Verdict.Reported(_, _, _, _, var why) -> Optional.of(decider(why));
      case Verdict.Watching _ -> Optional.of(Rule.IDLE_FOR_LONG);
      case Verdict.ToWithdraw withdraw -> Optional.of(decider(withdraw, judgment));
      case Verdict.ToWarn _ -> Optional.of(Rule.WARNED);
      case Verdict.Notified _ -> Optional.of(Rule.MAY_BE_RECLAIMED);
      case Verdict.Warned _ -> Optional.of(Rule.GRACE_OVER);
      case Verdict.Due _ -> Optional.empty();
    };
  }

  private static Rule decider(Protection protection) {
    return switch (protection) {
      case Protection.NamespaceUnseen _ -> Rule.NAMESPACE_KNOWN;
      case Protection.Untouchable _ -> Rule.TOUCHABLE;
      case Protection.Terminating _ -> Rule.NOT_TERMINATING;
      case Protection.OtherAccelerators _ -> Rule.COUNTABLE;
      case Protection.SharedGpu _ -> Rule.NOT_SHARED;
      case Protection.Excluded _ -> Rule.NOT_EXCLUDED;
      case Protection.OptedOutElsewhere _ -> Rule.NOT_OPTED_OUT;
      case Protection.SwitchedOff _ -> Rule.SWITCHED_ON;
    };
  }

  private static Rule decider(ReportOnly why) {
    return switch (why) {
      case ReportOnly.PolicyDistrusted _ -> Rule.UNDERSTOOD;
      case ReportOnly.ModeIsReport _ -> Rule.MAY_BE_WARNED;
      case ReportOnly.InProtectedHours _ -> Rule.OUTSIDE_PROTECTED_HOURS;
      case ReportOnly.Kept _ -> Rule.NOT_KEPT;
      case ReportOnly.ActionWithheld _ -> Rule.ACTION_AVAILABLE;
      case ReportOnly.ActionRefused _ -> Rule.BARE_POD;
    };
  }

  /** A warning that is taken back says no more than why; the earliest that it can be is told. */
  private static Rule decider(Verdict.ToWithdraw withdraw, Judgment judgment) {
    return switch (withdraw.why()) {
      case ACTIVE_AGAIN -> Rule.AT_REST;
      case STARTING -> Rule.STARTED;
      case VETOED -> Rule.NO_OTHER_WORK;
      case PROTECTED_NOW -> Rule.OUTSIDE_PROTECTED_HOURS;
      case POLICY_CHANGED ->
          judgment.policy().flatMap(EffectivePolicy::excludedBy).isPresent()
              ? Rule.NOT_EXCLUDED
              : Rule.NOT_OPTED_OUT;
      case OTHER_IDLE_PERIOD, UNREADABLE, IMPLAUSIBLE_TIME, MODE_RAISED -> Rule.WARNING_HOLDS;
    };
  }
}
