package io.gpureclaimer.reclaimer.show;

/** What is looked at, in this order, before a workload may be reclaimed. */
enum Rule {
  NAMESPACE_KNOWN("namespace-known", "the annotations of its namespace are known"),
  TOUCHABLE("touchable", "nothing about its pods forbids to touch them"),
  NOT_TERMINATING("not-terminating", "none of its pods is terminating"),
  COUNTABLE("countable", "all that it requests can be observed one by one"),
  NOT_SHARED("not-shared", "no other pod was seen with its GPUs"),
  NOT_EXCLUDED("not-excluded", "nobody excludes it"),
  NOT_OPTED_OUT("not-opted-out", "no annotation of another tool protects it"),
  SWITCHED_ON("switched-on", "the mode is not off"),
  AT_REST("at-rest", "none of its GPUs was seen working"),
  RUNNING("running", "its pods run"),
  OBSERVED("observed", "every GPU that it requests was watched"),
  STARTED("started", "its start and the grace after it are over"),
  NO_OTHER_WORK("no-other-work", "nothing else says that it works"),
  UNDERSTOOD("understood", "every annotation that concerns it is understood"),
  MAY_BE_WARNED("may-be-warned", "the mode goes beyond report"),
  OUTSIDE_PROTECTED_HOURS("outside-protected-hours", "these are no protected hours"),
  NOT_KEPT("not-kept", "nobody wants to keep it for now"),
  ACTION_AVAILABLE("action-available", "what shall be done to it can be done"),
  BARE_POD("bare-pod", "it is one pod that nothing would recreate and no group needs"),
  WARNING_HOLDS("warning-holds", "no warning on it has become void"),
  IDLE_FOR_LONG("idle-for-long", "it has been idle for long enough to be warned"),
  WARNED("warned", "it was warned"),
  MAY_BE_RECLAIMED("may-be-reclaimed", "the mode allows to reclaim"),
  GRACE_OVER("grace-over", "it has been idle and warned for long enough to be reclaimed");

  private final String code;
  private final String passed;

  Rule(String code, String passed) {
    this.code = code;
    this.passed = passed;
  }

  /** The stable name, for JSON. */
  String code() {
    return code;
  }

  /** What holds when the rule lets pass. */
  String passed() {
    return passed;
  }
}
