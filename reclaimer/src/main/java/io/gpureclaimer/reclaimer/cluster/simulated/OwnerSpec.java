package io.gpureclaimer.reclaimer.cluster.simulated;

import java.util.Optional;

/**
 * Who recreates a pod that goes away.
 *
 * @param kind how it does that
 * @param name its name, in the pod's namespace
 * @param above who controls it in turn
 */
public record OwnerSpec(Kind kind, String name, Optional<OwnerSpec> above) {

  /** How an owner recreates what is below it. */
  public enum Kind {
    /** At once and under a new name, as soon as the old pod begins to terminate. */
    REPLICA_SET("apps/v1", "ReplicaSet"),
    /** Under the same name, once the old pod is gone. */
    STATEFUL_SET("apps/v1", "StatefulSet"),
    /** As a ReplicaSet does; a Job that was disrupted tries again. */
    JOB("batch/v1", "Job"),
    /** Not pods, but ReplicaSets. */
    DEPLOYMENT("apps/v1", "Deployment"),
    /** Not pods, but Jobs. */
    CRON_JOB("batch/v1", "CronJob"),
    /** Not pods, but Jobs. */
    JOB_SET("jobset.x-k8s.io/v1alpha2", "JobSet");

    private final String apiVersion;
    private final String kubernetesName;

    Kind(String apiVersion, String kubernetesName) {
      this.apiVersion = apiVersion;
      this.kubernetesName = kubernetesName;
    }

    String apiVersion() {
      return apiVersion;
    }

    String kubernetesName() {
      return kubernetesName;
    }
  }

  /** An owner that nobody owns. */
  public OwnerSpec(Kind kind, String name) {
    this(kind, name, Optional.empty());
  }

  /** A Deployment's ReplicaSet. */
  public static OwnerSpec ofDeployment(String deployment, String revision) {
    return new OwnerSpec(Kind.REPLICA_SET, deployment + "-" + revision)
        .below(new OwnerSpec(Kind.DEPLOYMENT, deployment));
  }

  /** The same, controlled by another. */
  public OwnerSpec below(OwnerSpec other) {
    return new OwnerSpec(kind, name, Optional.of(other));
  }
}
