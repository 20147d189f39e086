package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import java.time.Duration;

/** What became of an eviction, found by a later look. */
public sealed interface Aftermath {

  /**
   * Within the hour, somebody created a pod of the same name again: it was still needed.
   *
   * @param pod the new one
   * @param times how often that happened to this name
   * @param coolDown how long its name is left alone
   */
  record Regretted(PodRef pod, int times, Duration coolDown) implements Aftermath {}

  /**
   * The pod that waited has a node now.
   *
   * @param pod who waited
   * @param waited since the scheduler first found no node for it
   */
  record Unblocked(PodRef pod, Duration waited) implements Aftermath {}
}
