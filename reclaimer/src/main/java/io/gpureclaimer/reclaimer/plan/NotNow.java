package io.gpureclaimer.reclaimer.plan;

/** Why a workload that is due is not evicted now. */
public enum NotNow {
  /** On demand only, and no pod waits for GPUs alone. */
  NOBODY_WAITS("nobody-waits"),
  /** On demand only, and no waiting pod would be helped by it, or others were chosen. */
  NOT_NEEDED("not-needed"),
  /** As many as allowed are being evicted; who else would be needed is not asked then. */
  BUDGET_SPENT("budget-spent"),
  /** On demand only, and the waiting pod needs more evictions than one plan may ever have. */
  BUDGET_TOO_SMALL("budget-too-small");

  private final String code;

  NotNow(String code) {
    this.code = code;
  }

  /** The stable name, for metrics and JSON. */
  public String code() {
    return code;
  }
}
