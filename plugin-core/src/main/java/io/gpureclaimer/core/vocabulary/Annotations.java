package io.gpureclaimer.core.vocabulary;

/** The annotations that people write for us on namespaces and workloads, and that we write. */
public final class Annotations {
  public static final String PREFIX = "gpu-reclaimer.io/";

  public static final String MODE = PREFIX + "mode";
  public static final String IDLE_AFTER = PREFIX + "idle-after";
  public static final String WARN_BEFORE = PREFIX + "warn-before";
  public static final String EXCLUDE = PREFIX + "exclude";

  /** Written by us: when the owner was warned. */
  public static final String WARNED_AT = PREFIX + "warned-at";

  /** Written by us: since when the workload has been idle. */
  public static final String IDLE_SINCE = PREFIX + "idle-since";

  /** Written by us: the earliest act that the warning announced, or {@code never}. */
  public static final String ACT_NOT_BEFORE = PREFIX + "act-not-before";

  /** Written by us: the name of the act that the warning announces. */
  public static final String ACTION_ID = PREFIX + "action-id";

  private Annotations() {}
}
