package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Duration;

/** What became of an earlier action, found in a later cycle. */
public sealed interface FollowUp {

  /**
   * Somebody created a pod of the same name again within the hour: it was still needed.
   *
   * @param pod the new one
   * @param times how often that happened to this name
   * @param coolDown how long its name is left alone
   */
  record Recreated(PodRef pod, int times, Duration coolDown) implements FollowUp {}

  /**
   * The pending pod has a node now.
   *
   * @param pod which one
   * @param waited since the scheduler first found no node for it
   */
  record Bound(PodRef pod, Duration waited) implements FollowUp {}
}
