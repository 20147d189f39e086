package io.gpureclaimer.reclaimer.evidence;

/** What was fetched from the activity source. */
public enum FetchScope {
  /** The activity of all pods, once in a cycle. */
  ALL_PODS,
  /** That of one pod, seconds before an action; the raw utilization must be part of it. */
  ONE_POD
}
