package io.gpureclaimer.reclaimer.plan;

/** Why something that is due is not done now. */
public enum NotNow {
  /** On demand only, and no pod waits for GPUs alone. */
  NOBODY_WAITS("nobody-waits"),
  /** On demand only, and no waiting pod would be helped by it, or others were chosen. */
  NOT_NEEDED("not-needed"),
  /** As many as allowed are being evicted; who else would be needed is not asked then. */
  BUDGET_SPENT("budget-spent"),
  /** On demand only, and the waiting pod needs more evictions than one plan may ever have. */
  BUDGET_TOO_SMALL("budget-too-small"),
  /** As many of its namespace as allowed are being evicted. */
  NAMESPACE_BUDGET_SPENT("namespace-budget-spent"),
  /** As many of its namespace as allowed in an hour were evicted. */
  NAMESPACE_HOUR_SPENT("namespace-hour-spent"),
  /** As often as allowed in a day its owner was evicted. */
  OWNER_DAY_SPENT("owner-day-spent"),
  /** As many as allowed in an hour were evicted. */
  HOUR_SPENT("hour-spent"),
  /** As many GPUs as allowed in an hour were reclaimed. */
  GPU_SHARE_SPENT("gpu-share-spent"),
  /** Somebody created it again after its eviction; it is left alone for a while. */
  COOLING_DOWN("cooling-down"),
  /** Its priority is higher than its namespace allows a victim to have. */
  PRIORITY_TOO_HIGH("priority-too-high"),
  /** The circuit breaker is open: nothing new is begun. */
  BREAKER_OPEN("breaker-open");

  private final String code;

  NotNow(String code) {
    this.code = code;
  }

  /** Whether it holds for every workload of the namespace, and for no other. */
  boolean isOfNamespace() {
    return this == NAMESPACE_BUDGET_SPENT || this == NAMESPACE_HOUR_SPENT;
  }

  /** The stable name, for metrics and JSON. */
  public String code() {
    return code;
  }
}
