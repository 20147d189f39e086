package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.policy.ActionChoice;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Protection;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.Verdict.ReportOnly;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Results of the rules of a judgment. A rule after the one that decided is not reached. */
final class RuleResults {
  private RuleResults() {}

  /** One result for each rule, in the order of the judge. */
  static List<RuleResult> of(Judgment judgment) {
    Optional<JudgmentRule> decider = decider(judgment);
    return Arrays.stream(JudgmentRule.values())
        .map(rule -> result(rule, decider, judgment))
        .toList();
  }

  private static RuleResult result(
      JudgmentRule rule, Optional<JudgmentRule> decider, Judgment judgment) {
    Optional<String> obstacle =
        decider.equals(Optional.of(rule))
            ? Optional.of(VerdictSentence.of(judgment.verdict()))
            : obstacle(rule, judgment);
    return obstacle
        .map(sentence -> new RuleResult(rule.code, RuleStatus.STOPPED, sentence))
        .orElseGet(
            () ->
                decider.filter(last -> rule.compareTo(last) > 0).isEmpty()
                    ? new RuleResult(rule.code, RuleStatus.PASSED, rule.passed)
                    : new RuleResult(
                        rule.code, RuleStatus.NOT_REACHED, "not checked whether " + rule.passed));
  }

  /** What is known to violate the rule, whichever rule decided. */
  private static Optional<String> obstacle(JudgmentRule rule, Judgment judgment) {
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
              .filter(action -> action.value() == ActionChoice.NONE)
              .map(
                  action ->
                      "the action is "
                          + action.value().text()
                          + " ("
                          + VerdictSentence.of(action.origin())
                          + ")");
      case ACTION_FITS -> judgment.action().flatMap(RuleResults::refusal);
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

  private static Optional<String> refusal(ActionCheck check) {
    return switch (check) {
      case ActionCheck.Possible _ -> Optional.empty();
      case ActionCheck.Refused(_, var obstacle, _) -> Optional.of(obstacle);
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

  /** The rule that decided; empty if all passed. */
  private static Optional<JudgmentRule> decider(Judgment judgment) {
    return switch (judgment.verdict()) {
      case Verdict.Protected(_, var protection) -> Optional.of(decider(protection));
      case Verdict.Active _ -> Optional.of(JudgmentRule.AT_REST);
      case Verdict.NotRunning _ -> Optional.of(JudgmentRule.RUNNING);
      case Verdict.Starting _ -> Optional.of(JudgmentRule.STARTED);
      case Verdict.Vetoed _ -> Optional.of(JudgmentRule.NO_OTHER_WORK);
      case Verdict.Unknown _ -> Optional.of(JudgmentRule.OBSERVED);
      case Verdict.Reported(_, _, _, _, var why) -> Optional.of(decider(why));
      case Verdict.Watching _ -> Optional.of(JudgmentRule.IDLE_FOR_LONG);
      case Verdict.ToWithdraw withdraw -> Optional.of(decider(withdraw, judgment));
      case Verdict.ToWarn _ -> Optional.of(JudgmentRule.WARNED);
      case Verdict.Notified _ -> Optional.of(JudgmentRule.MAY_BE_RECLAIMED);
      case Verdict.Warned _ -> Optional.of(JudgmentRule.GRACE_OVER);
      case Verdict.Due _ -> Optional.empty();
    };
  }

  private static JudgmentRule decider(Protection protection) {
    return switch (protection) {
      case Protection.NamespaceUnseen _ -> JudgmentRule.NAMESPACE_KNOWN;
      case Protection.Untouchable _ -> JudgmentRule.TOUCHABLE;
      case Protection.Terminating _ -> JudgmentRule.NOT_TERMINATING;
      case Protection.OtherAccelerators _ -> JudgmentRule.COUNTABLE;
      case Protection.SharedGpu _ -> JudgmentRule.NOT_SHARED;
      case Protection.Excluded _ -> JudgmentRule.NOT_EXCLUDED;
      case Protection.OptedOutElsewhere _ -> JudgmentRule.NOT_OPTED_OUT;
      case Protection.SwitchedOff _ -> JudgmentRule.SWITCHED_ON;
    };
  }

  private static JudgmentRule decider(ReportOnly why) {
    return switch (why) {
      case ReportOnly.PolicyDistrusted _ -> JudgmentRule.UNDERSTOOD;
      case ReportOnly.ModeIsReport _ -> JudgmentRule.MAY_BE_WARNED;
      case ReportOnly.InProtectedHours _ -> JudgmentRule.OUTSIDE_PROTECTED_HOURS;
      case ReportOnly.Kept _ -> JudgmentRule.NOT_KEPT;
      case ReportOnly.ActionWithheld _ -> JudgmentRule.ACTION_AVAILABLE;
      case ReportOnly.ActionRefused _ -> JudgmentRule.ACTION_FITS;
    };
  }

  /** Of the rules that can be the reason of a withdrawal, the first. */
  private static JudgmentRule decider(Verdict.ToWithdraw withdraw, Judgment judgment) {
    return switch (withdraw.why()) {
      case ACTIVE_AGAIN -> JudgmentRule.AT_REST;
      case STARTING -> JudgmentRule.STARTED;
      case VETOED -> JudgmentRule.NO_OTHER_WORK;
      case PROTECTED_NOW -> JudgmentRule.OUTSIDE_PROTECTED_HOURS;
      case ACTION_MADE -> JudgmentRule.ACTION_FITS;
      case POLICY_CHANGED ->
          Arrays.stream(JudgmentRule.values())
              .filter(rule -> obstacle(rule, judgment).isPresent())
              .findFirst()
              .orElse(JudgmentRule.NOT_OPTED_OUT);
      case OTHER_IDLE_PERIOD, UNREADABLE, INCOMPLETE, IMPLAUSIBLE_TIME, MODE_RAISED ->
          JudgmentRule.WARNING_HOLDS;
    };
  }

  /** Rules that a workload must pass to be reclaimed, in their order. */
  enum JudgmentRule {
    NAMESPACE_KNOWN("namespace-known", "the annotations of its namespace are known"),
    TOUCHABLE("touchable", "nothing about its pods forbids to touch them"),
    NOT_TERMINATING("not-terminating", "none of its pods is terminating"),
    COUNTABLE("countable", "all that it requests can be observed one by one"),
    NOT_SHARED("not-shared", "no other pod was seen with its GPUs, except for replicas"),
    NOT_EXCLUDED("not-excluded", "no flag excludes it"),
    NOT_OPTED_OUT("not-opted-out", "no annotation of another tool protects it"),
    SWITCHED_ON("switched-on", "the mode is not off"),
    AT_REST("at-rest", "none of its GPUs was seen working"),
    RUNNING("running", "its pods run"),
    OBSERVED("observed", "every GPU that it requests was watched"),
    STARTED("started", "its start and the grace after it are over"),
    NO_OTHER_WORK("no-other-work", "no signal shows work"),
    UNDERSTOOD("understood", "every annotation that concerns it is understood"),
    MAY_BE_WARNED("may-be-warned", "the mode goes beyond report"),
    OUTSIDE_PROTECTED_HOURS("outside-protected-hours", "it is outside of protected hours"),
    NOT_KEPT("not-kept", "no annotation keeps it for now"),
    ACTION_AVAILABLE("action-available", "its action is available"),
    ACTION_FITS("action-fits", "an action can free its GPUs"),
    WARNING_HOLDS("warning-holds", "no warning on it has become void"),
    IDLE_FOR_LONG("idle-for-long", "it has been idle for long enough to be warned"),
    WARNED("warned", "it was warned"),
    MAY_BE_RECLAIMED("may-be-reclaimed", "the mode allows to reclaim"),
    GRACE_OVER("grace-over", "it has been idle and warned for long enough to be reclaimed");

    private final String code;
    private final String passed;

    JudgmentRule(String code, String passed) {
      this.code = code;
      this.passed = passed;
    }
  }

  /** Result of one rule. */
  record RuleResult(String rule, RuleStatus status, String sentence) {}

  /**
   * Status of one rule.
   *
   * <p>{@code code} is the stable name in JSON, {@code mark} a word of at most four letters.
   */
  enum RuleStatus {
    PASSED("passed", "ok"),
    STOPPED("stopped", "stop"),
    /** Another rule had decided before. */
    NOT_REACHED("not-reached", ExplainText.NOT_REACHED);

    final String code;
    final String mark;

    RuleStatus(String code, String mark) {
      this.code = code;
      this.mark = mark;
    }
  }
}
