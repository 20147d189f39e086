package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
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
    PodTraits traits) {
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
        PodTraits.NONE);
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
        new PodTraits(traits.labels(), traits.interactive(), traits.scratch(), Optional.of(group)));
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
  public PodSpec ownedBy(OwnerSpec.OwnerKind kind, String ownerName) {
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
    return copy(other, grace, this);
  }

  /** The same pod with another grace period. */
  public PodSpec withGrace(Duration value) {
    return copy(name, value, this);
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
        traits);
  }

  private static PodSpec copy(String name, Duration grace, PodSpec of) {
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
        of.traits);
  }

  /**
   * Who recreates a pod that goes away.
   *
   * @param kind how it does that
   * @param name its name, in the pod's namespace
   * @param above who controls it in turn
   */
  public record OwnerSpec(OwnerKind kind, String name, Optional<OwnerSpec> above) {

    /** How an owner recreates what is below it. */
    public enum OwnerKind {
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
      JOB_SET("jobset.x-k8s.io/v1alpha2", "JobSet"),
      /** As a ReplicaSet does. */
      RAY_CLUSTER("ray.io/v1", "RayCluster"),
      /** Neither: it scales another owner. */
      SCALED_OBJECT("keda.sh/v1alpha1", "ScaledObject");

      private final String apiVersion;
      private final String kubernetesName;

      OwnerKind(String apiVersion, String kubernetesName) {
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

    /** A top owner. */
    public OwnerSpec(OwnerKind kind, String name) {
      this(kind, name, Optional.empty());
    }

    /** A Deployment's ReplicaSet. */
    public static OwnerSpec ofDeployment(String deployment, String revision) {
      return new OwnerSpec(OwnerKind.REPLICA_SET, deployment + "-" + revision)
          .below(new OwnerSpec(OwnerKind.DEPLOYMENT, deployment));
    }

    /** The same, controlled by another. */
    public OwnerSpec below(OwnerSpec other) {
      return new OwnerSpec(kind, name, Optional.of(other));
    }
  }
}
