package io.gpureclaimer.reclaimer.verdict;

import java.util.Optional;

/** Why a warning no longer holds. */
public enum Withdrawal {
  /** The workload works again. */
  ACTIVE_AGAIN("active-again"),
  /** Something else than its GPUs says that it works. */
  VETOED("vetoed"),
  /** It has started again, or is not ready. */
  STARTING("starting"),
  /** Protected hours have begun, or somebody wants to keep it. */
  PROTECTED_NOW("protected-now"),
  /** It was active, or not observed, in between: another idle period has begun. */
  OTHER_IDLE_PERIOD("other-idle-period"),
  /** What is written on the pod cannot be read as a warning. */
  UNREADABLE("unreadable"),
  /** It claims to be given in the future, or before the idle period began. */
  IMPLAUSIBLE_TIME("implausible-time"),
  /** It told of less than what may be done now. */
  MODE_RAISED("mode-raised"),
  /** The policy does not allow to act on the workload any more. */
  POLICY_CHANGED("policy-changed");

  private final String code;

  Withdrawal(String code) {
    this.code = code;
  }

  /** Why a verdict other than idle takes a warning back. */
  static Optional<Withdrawal> by(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Active _ -> Optional.of(ACTIVE_AGAIN);
      case Verdict.Vetoed _ -> Optional.of(VETOED);
      case Verdict.Starting _ -> Optional.of(STARTING);
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Unknown _,
          Verdict.Watching _,
          Verdict.Reported _,
          Verdict.ToWarn _,
          Verdict.Warned _,
          Verdict.Notified _,
          Verdict.ToWithdraw _,
          Verdict.Due _ ->
          Optional.empty();
    };
  }

  /** The stable name, for metrics and JSON. */
  public String code() {
    return code;
  }
}
