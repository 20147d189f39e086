package io.gpureclaimer.reclaimer.rightsize;

/** Smaller request that would have been enough for a workload. A value only: nothing is changed. */
public sealed interface Suggestion {

  /** Its activity was unknown for too long, so nothing is suggested. */
  record Undecided(double unknownShare) implements Suggestion {}

  /** None of its devices worked. */
  record Release() implements Suggestion {}

  /** Fewer devices for each pod. */
  record FewerDevices(int perPod) implements Suggestion {}

  /** Fewer pods. */
  record FewerPods(int pods) implements Suggestion {}

  /** A MIG instance in place of the GPU. */
  record MigInstance(String profile) implements Suggestion {}

  /** A GPU with less memory that the cluster has, in place of this one. */
  record SmallerModel(String model) implements Suggestion {}

  /** The GPU shared by several such pods. */
  record SharedGpu(int pods) implements Suggestion {}
}
