package io.gpureclaimer.reclaimer.policy;

/** Why a warning no longer holds. */
public enum Withdrawal {
  /** The workload works again. */
  ACTIVE_AGAIN("active-again"),
  /** It was active, or not observed, in between: another idle period has begun. */
  OTHER_IDLE_PERIOD("other-idle-period"),
  /** What is written on the pod cannot be read as a warning. */
  UNREADABLE("unreadable"),
  /** It claims to be given in the future, or before the idle period began. */
  IMPLAUSIBLE_TIME("implausible-time"),
  /** The policy does not allow to act on the workload any more. */
  POLICY_CHANGED("policy-changed");

  private final String code;

  Withdrawal(String code) {
    this.code = code;
  }

  /** The stable name, for metrics and JSON. */
  public String code() {
    return code;
  }
}
