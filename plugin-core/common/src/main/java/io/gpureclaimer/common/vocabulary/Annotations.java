package io.gpureclaimer.common.vocabulary;

/** Annotations of users, and those that the reclaimer writes. */
public final class Annotations {
  public static final String PREFIX = "gpu-reclaimer.io/";

  public static final String MODE = PREFIX + "mode";
  public static final String IDLE_AFTER = PREFIX + "idle-after";
  public static final String WARN_BEFORE = PREFIX + "warn-before";

  /** The same as {@link #WARN_BEFORE}. */
  public static final String GRACE = PREFIX + "grace";

  public static final String STARTUP_GRACE = PREFIX + "startup-grace";
  public static final String CLASS = PREFIX + "class";
  public static final String ACTION = PREFIX + "action";
  public static final String RESTORE = PREFIX + "restore";
  public static final String PARTIAL = PREFIX + "partial";
  public static final String EXCLUDE = PREFIX + "exclude";
  public static final String KEEP_UNTIL = PREFIX + "keep-until";
  public static final String PROTECTED_HOURS = PREFIX + "protected-hours";
  public static final String SCRATCH = PREFIX + "scratch";
  public static final String NOTIFY = PREFIX + "notify";
  public static final String CHECKPOINT_URL = PREFIX + "checkpoint-url";

  /** Written by the workload itself: when it last did something. */
  public static final String LAST_ACTIVITY = PREFIX + "last-activity";

  public static final String MIN_IDLE_AFTER = PREFIX + "min-idle-after";
  public static final String MAX_IDLE_AFTER = PREFIX + "max-idle-after";
  public static final String MAX_KEEP = PREFIX + "max-keep";
  public static final String MAX_PER_RUN = PREFIX + "max-per-run";
  public static final String MAX_PER_HOUR = PREFIX + "max-per-hour";
  public static final String VICTIM_PRIORITY_MAX = PREFIX + "victim-priority-max";

  /** Written by us: when the owner was warned. */
  public static final String WARNED_AT = PREFIX + "warned-at";

  /** Written by us: since when the workload has been idle. */
  public static final String IDLE_SINCE = PREFIX + "idle-since";

  /** Written by us: the earliest act that the warning announced, or {@code never}. */
  public static final String ACT_NOT_BEFORE = PREFIX + "act-not-before";

  /** Written by us: the mode under which the owner was warned. */
  public static final String WARNED_MODE = PREFIX + "warned-mode";

  /** Written by us: the name of the act that the warning announces. */
  public static final String ACTION_ID = PREFIX + "action-id";

  private Annotations() {}
}
