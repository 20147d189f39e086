package io.gpureclaimer.reclaimer.activity;

/** Which look an observation came from. */
public enum Look {
  /** At all pods, by the agents' records. */
  FIRST,
  /** At one pod, seconds before an act; it must bring the raw utilization as well. */
  SECOND
}
