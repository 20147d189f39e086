package io.gpureclaimer.reclaimer.cluster.simulated;

/**
 * Who recreates a pod that goes away.
 *
 * @param kind how it does that
 * @param name its name, in the pod's namespace
 */
public record OwnerSpec(Kind kind, String name) {

  /** How an owner recreates its pods. */
  public enum Kind {
    /** At once and under a new name, as soon as the old pod begins to terminate. */
    REPLICA_SET("ReplicaSet"),
    /** Under the same name, once the old pod is gone. */
    STATEFUL_SET("StatefulSet");

    private final String kubernetesName;

    Kind(String kubernetesName) {
      this.kubernetesName = kubernetesName;
    }

    String kubernetesName() {
      return kubernetesName;
    }
  }
}
