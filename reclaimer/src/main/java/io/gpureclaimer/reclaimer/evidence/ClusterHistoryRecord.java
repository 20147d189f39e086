package io.gpureclaimer.reclaimer.evidence;

import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import java.time.Instant;

/** One fact that kube-state-metrics recorded of a node or of a pod with GPUs. */
public sealed interface ClusterHistoryRecord {

  /**
   * A node that offered GPUs.
   *
   * @param at when that was recorded
   */
  record NodeGpus(String node, int gpus, Instant at) implements ClusterHistoryRecord {}

  /** A pod and how many whole GPUs it requested. */
  record PodRequest(String uid, PodName name, int gpus) implements ClusterHistoryRecord {}

  /**
   * A pod that existed.
   *
   * @param isRunning whether it ran; otherwise it was pending
   * @param at when that was recorded
   */
  record PodPresence(String uid, boolean isRunning, Instant at) implements ClusterHistoryRecord {}

  /** When a pod was created. */
  record PodCreated(String uid, Instant at) implements ClusterHistoryRecord {}

  /** When a pod was bound to a node. */
  record PodScheduled(String uid, Instant at) implements ClusterHistoryRecord {}

  /**
   * The controller of a pod.
   *
   * @param kind such as ReplicaSet; {@code <none>} of a pod without one
   * @param priorityClass its name; blank if it has none
   */
  record PodOwner(String uid, String kind, String priorityClass) implements ClusterHistoryRecord {}
}
