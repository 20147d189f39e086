package io.gpureclaimer.reclaimer.cluster.simulated;

import static io.gpureclaimer.reclaimer.cluster.FieldChange.annotation;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.VolcanoJob;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A pod to simulate.
 *
 * @param accelerators what it requests; only whole GPUs are scheduled, of slices there are always
 *     enough
 * @param labels what disruption budgets select by
 * @param annotations what it is created with, and its successors too
 * @param owner the controller that recreates it; absent for a bare pod
 * @param grace how long it takes to terminate
 * @param untouchable why no policy may touch it
 * @param requests CPU and memory that it requests
 */
public record PodSpec(
    String namespace,
    String name,
    Accelerators accelerators,
    int priority,
    Map<String, String> labels,
    Map<String, String> annotations,
    Placement placement,
    Optional<OwnerSpec> owner,
    Duration grace,
    Optional<String> untouchable,
    PodTraits traits,
    ComputeResources requests) {
  private static final Duration USUAL_GRACE = Duration.ofSeconds(30);

  public PodSpec {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    if (grace.isNegative()) {
      throw new IllegalArgumentException("grace must not be negative, was " + grace);
    }
  }

  /** A bare pod that may run anywhere. */
  public static PodSpec bare(String namespace, String name, int gpus) {
    return new PodSpec(
        namespace,
        name,
        Accelerators.whole(gpus),
        0,
        Map.of(),
        Map.of(),
        Placement.ANYWHERE,
        Optional.empty(),
        USUAL_GRACE,
        Optional.empty(),
        PodTraits.NONE,
        ComputeResources.NONE);
  }

  /** How many whole GPUs it requests. */
  public int gpus() {
    return accelerators.gpus();
  }

  /** The same pod, requesting something else. */
  public PodSpec requesting(Accelerators value) {
    return with(value, priority, labels, annotations, placement, owner, untouchable, traits);
  }

  /** The same pod with other traits. */
  public PodSpec withTraits(PodTraits value) {
    return with(accelerators, priority, labels, annotations, placement, owner, untouchable, value);
  }

  /** The same pod as a member of a group. */
  public PodSpec in(Group group) {
    return withTraits(
        new PodTraits(
            traits.labels(),
            traits.interactive(),
            traits.scratch(),
            Optional.of(group),
            traits.endpoint()));
  }

  /** The same pod with a priority. */
  public PodSpec withPriority(int value) {
    return with(accelerators, value, labels, annotations, placement, owner, untouchable, traits);
  }

  /** The same pod with labels. */
  public PodSpec withLabels(Map<String, String> value) {
    return with(accelerators, priority, value, annotations, placement, owner, untouchable, traits);
  }

  /** The same pod with annotations. */
  public PodSpec withAnnotations(Map<String, String> value) {
    return with(accelerators, priority, labels, value, placement, owner, untouchable, traits);
  }

  /** The same pod with a rule where it may run. */
  public PodSpec withPlacement(Placement value) {
    return with(accelerators, priority, labels, annotations, value, owner, untouchable, traits);
  }

  /** The same pod, recreated by an owner. */
  public PodSpec ownedBy(OwnerSpec.OwnerType kind, String ownerName) {
    return ownedBy(new OwnerSpec(kind, ownerName));
  }

  /** The same pod, recreated by an owner that may have one in turn. */
  public PodSpec ownedBy(OwnerSpec by) {
    Optional<OwnerSpec> value = Optional.of(by);
    return with(accelerators, priority, labels, annotations, placement, value, untouchable, traits);
  }

  /** The same pod, excluded for a reason. */
  public PodSpec untouchableFor(String reason) {
    Optional<String> value = Optional.of(reason);
    return with(accelerators, priority, labels, annotations, placement, owner, value, traits);
  }

  /** The same pod under another name. */
  public PodSpec named(String other) {
    return copy(other, grace, requests, this);
  }

  /** The same pod with another grace period. */
  public PodSpec withGrace(Duration value) {
    return copy(name, value, requests, this);
  }

  /** The same pod with requests of CPU and memory. */
  public PodSpec withRequests(ComputeResources value) {
    return copy(name, grace, value, this);
  }

  private PodSpec with(
      Accelerators accelerators,
      int priority,
      Map<String, String> labels,
      Map<String, String> annotations,
      Placement placement,
      Optional<OwnerSpec> owner,
      Optional<String> untouchable,
      PodTraits traits) {
    return new PodSpec(
        namespace,
        name,
        accelerators,
        priority,
        labels,
        annotations,
        placement,
        owner,
        grace,
        untouchable,
        traits,
        requests);
  }

  private static PodSpec copy(String name, Duration grace, ComputeResources requests, PodSpec of) {
    return new PodSpec(
        of.namespace,
        name,
        of.accelerators,
        of.priority,
        of.labels,
        of.annotations,
        of.placement,
        of.owner,
        grace,
        of.untouchable,
        of.traits,
        requests);
  }

  /**
   * Who recreates a pod that goes away.
   *
   * @param kind how it does that
   * @param name its name, in the pod's namespace
   * @param above who controls it in turn
   */
  public record OwnerSpec(OwnerType kind, String name, Optional<OwnerSpec> above) {
    static final String REPLICAS = "/spec/replicas";
    private static final String SUSPEND = "/spec/suspend";
    private static final String ANY = "*";

    /** How an owner recreates what is below it. */
    public enum OwnerType {
      /** At once and under a new name, as soon as the old pod begins to terminate. */
      REPLICA_SET("apps/v1", "ReplicaSet", REPLICAS, "0"),
      /** Under the same name, once the old pod is gone. */
      STATEFUL_SET("apps/v1", "StatefulSet", REPLICAS, "0"),
      /** As a ReplicaSet does; a Job that was disrupted tries again. */
      JOB("batch/v1", "Job", SUSPEND, "true"),
      /** Not pods, but ReplicaSets. */
      DEPLOYMENT("apps/v1", "Deployment", REPLICAS, "0"),
      /** Not pods, but Jobs. */
      CRON_JOB("batch/v1", "CronJob", SUSPEND, "true"),
      /** Not pods, but Jobs. */
      JOB_SET("jobset.x-k8s.io/v1alpha2", "JobSet", SUSPEND, "true"),
      /** As a ReplicaSet does. */
      RAY_CLUSTER("ray.io/v1", "RayCluster", SUSPEND, "true"),
      /** As a ReplicaSet does. */
      ROLLOUT("argoproj.io/v1alpha1", "Rollout", REPLICAS, "0"),
      /** As a ReplicaSet does, with groups of one pod. */
      LEADER_WORKER_SET("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", REPLICAS, "0"),
      /** As a ReplicaSet does. */
      TRAIN_JOB("trainer.kubeflow.org/v1alpha1", "TrainJob", SUSPEND, "true"),
      /** As a ReplicaSet does. */
      PYTORCH_JOB("kubeflow.org/v1", "PyTorchJob", "/spec/runPolicy/suspend", "true"),
      /** As a ReplicaSet does. */
      SPARK_APPLICATION("sparkoperator.k8s.io/v1beta2", "SparkApplication", SUSPEND, "true"),
      /** As a ReplicaSet does; a Command has an effect at once. */
      VOLCANO_JOB("batch.volcano.sh/v1alpha1", "Job", VolcanoJob.PHASE, VolcanoJob.ABORTED),
      /** As a ReplicaSet does; stopped while the annotation is there. */
      NOTEBOOK("kubeflow.org/v1", "Notebook", annotation("kubeflow-resource-stopped"), ANY),
      /** As a ReplicaSet does. */
      WORKSPACE("kubeflow.org/v1beta1", "Workspace", "/spec/paused", "true"),
      /** As a ReplicaSet does. */
      INFERENCE_SERVICE(
          "serving.kserve.io/v1beta1",
          "InferenceService",
          annotation("serving.kserve.io/stop"),
          "\"true\""),
      /** As a ReplicaSet does. */
      DEV_WORKSPACE("workspace.devfile.io/v1alpha2", "DevWorkspace", "/spec/started", "false"),
      /** Neither: it scales another owner, and never stops. */
      SCALED_OBJECT("keda.sh/v1alpha1", "ScaledObject", "", "");

      private final String apiVersion;
      private final String kubernetesName;
      private final String field;
      private final String stopped;

      OwnerType(String apiVersion, String kubernetesName, String field, String stopped) {
        this.apiVersion = apiVersion;
        this.kubernetesName = kubernetesName;
        this.field = field;
        this.stopped = stopped;
      }

      String apiVersion() {
        return apiVersion;
      }

      String kubernetesName() {
        return kubernetesName;
      }

      /** JSON pointer of the field by which it is stopped. */
      public String field() {
        return field;
      }

      /** Whether it runs no pods with this value of its field. */
      public boolean isStoppedBy(Optional<String> value) {
        return value.filter(text -> stopped.equals(ANY) || text.equals(stopped)).isPresent();
      }

      boolean hasReplicas() {
        return field.equals(REPLICAS);
      }
    }

    /** A top owner. */
    public OwnerSpec(OwnerType kind, String name) {
      this(kind, name, Optional.empty());
    }

    /** A Deployment's ReplicaSet. */
    public static OwnerSpec ofDeployment(String deployment, String revision) {
      return new OwnerSpec(OwnerType.REPLICA_SET, deployment + "-" + revision)
          .below(new OwnerSpec(OwnerType.DEPLOYMENT, deployment));
    }

    /** The same, controlled by another. */
    public OwnerSpec below(OwnerSpec other) {
      return new OwnerSpec(kind, name, Optional.of(other));
    }
  }
}
