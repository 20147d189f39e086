package io.gpureclaimer.reclaimer.plan;

/** Why a step that is due is not done now. */
public enum WaitReason {
  /** On demand only, and no pod waits for GPUs alone. */
  NOBODY_WAITS("nobody-waits", "no pod waits for GPUs alone"),
  /** On demand only, and it would help no pending pod, or others were chosen. */
  NOT_NEEDED("not-needed", "no waiting pod needs it"),
  /** As many as allowed are being evicted; more victims are not searched then. */
  BUDGET_SPENT("budget-spent", "as many as allowed are being evicted"),
  /** On demand only, and the pending pod needs more evictions than one plan may ever have. */
  BUDGET_TOO_SMALL(
      "budget-too-small", "the waiting pod needs more evictions than are allowed at a time"),
  /** As many of its namespace as allowed are being evicted. */
  NAMESPACE_BUDGET_SPENT(
      "namespace-budget-spent", "as many of its namespace as allowed are being evicted"),
  /** As many of its namespace as allowed in an hour were evicted. */
  NAMESPACE_HOUR_SPENT(
      "namespace-hour-spent", "as many of its namespace as allowed in an hour were evicted"),
  /** As often as allowed in a day its owner was evicted. */
  OWNER_DAY_SPENT("owner-day-spent", "it was evicted as often as is allowed in a day"),
  /** As many as allowed in an hour were evicted. */
  HOUR_SPENT("hour-spent", "as many as allowed in an hour were evicted"),
  /** As many GPUs as allowed in an hour were reclaimed. */
  GPU_SHARE_SPENT("gpu-share-spent", "as many GPUs as allowed in an hour were reclaimed"),
  /** Somebody created it again after its eviction; it is left alone for a while. */
  COOLING_DOWN(
      "cooling-down",
      "somebody created it again after its last eviction, so it is left alone for a while"),
  /** Its priority is higher than its namespace allows a victim to have. */
  PRIORITY_TOO_HIGH(
      "priority-too-high", "its priority is higher than its namespace allows a victim to have"),
  /** The circuit breaker is open: nothing new is begun. */
  BREAKER_OPEN("breaker-open", "the circuit breaker is open");

  private final String code;
  private final String sentence;

  WaitReason(String code, String sentence) {
    this.code = code;
    this.sentence = sentence;
  }

  /** Whether it applies to every workload of the namespace, and to no other. */
  boolean isOfNamespace() {
    return this == NAMESPACE_BUDGET_SPENT || this == NAMESPACE_HOUR_SPENT;
  }

  /** Stable name, for metrics and JSON. */
  public String code() {
    return code;
  }

  /** The reason in words. */
  String sentence() {
    return sentence;
  }
}
