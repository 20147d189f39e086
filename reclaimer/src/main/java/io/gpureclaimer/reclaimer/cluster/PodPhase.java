package io.gpureclaimer.reclaimer.cluster;

/** Where a pod is in its life, as Kubernetes says it. */
public enum PodPhase {
  PENDING,
  RUNNING,
  SUCCEEDED,
  FAILED,
  UNKNOWN
}
