package io.gpureclaimer.reclaimer.faults;

/** How a server that is asked for activity feels. */
enum ServerBehavior {
  /** It answers what it knows. */
  WELL,
  /** It answers what it knew when it was asked, three quarters of a minute later. */
  SLOW,
  /** It never answers. */
  SILENT,
  /** It answers, completely as it says, with nothing. */
  EMPTY,
  /** It fails. */
  FAILING,
  /** It does not want to do so much. */
  OVERLOADED,
  /** It stops in the middle of its answer. */
  CUT,
  /** It leaves out half of the answer and says so. */
  PARTIAL,
  /** A cache before it answers what it answered minutes ago, if it was asked the same. */
  CACHED,
  /** Something else answers in its place. */
  LOGIN_PAGE;

  boolean reports() {
    return this == WELL;
  }
}
