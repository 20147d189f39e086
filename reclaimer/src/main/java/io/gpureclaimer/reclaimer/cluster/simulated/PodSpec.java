package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.Placement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A pod to simulate.
 *
 * @param namespace its namespace
 * @param name its name
 * @param gpus how many GPUs it requests
 * @param priority its priority
 * @param labels what disruption budgets select by
 * @param annotations what it is created with, and its successors too
 * @param placement where it may run
 * @param owner who recreates it; nobody recreates a bare pod
 * @param grace how long it takes to terminate
 * @param otherAccelerators whether it also asks for shares, slices or claims
 * @param untouchable why no policy may touch it
 */
public record PodSpec(
    String namespace,
    String name,
    int gpus,
    int priority,
    Map<String, String> labels,
    Map<String, String> annotations,
    Placement placement,
    Optional<OwnerSpec> owner,
    Duration grace,
    boolean otherAccelerators,
    Optional<String> untouchable) {
  private static final Duration USUAL_GRACE = Duration.ofSeconds(30);

  public PodSpec {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    if (gpus < 0) {
      throw new IllegalArgumentException("gpus must not be negative, was " + gpus);
    }
    if (grace.isNegative()) {
      throw new IllegalArgumentException("grace must not be negative, was " + grace);
    }
  }

  /** A bare pod that may run anywhere. */
  public static PodSpec bare(String namespace, String name, int gpus) {
    return new PodSpec(
        namespace,
        name,
        gpus,
        0,
        Map.of(),
        Map.of(),
        Placement.ANYWHERE,
        Optional.empty(),
        USUAL_GRACE,
        false,
        Optional.empty());
  }

  /** The same pod under another name. */
  public PodSpec named(String other) {
    return with(other, priority, labels, annotations, placement, owner, grace, untouchable);
  }

  /** The same pod with a priority. */
  public PodSpec withPriority(int value) {
    return with(name, value, labels, annotations, placement, owner, grace, untouchable);
  }

  /** The same pod with labels. */
  public PodSpec withLabels(Map<String, String> value) {
    return with(name, priority, value, annotations, placement, owner, grace, untouchable);
  }

  /** The same pod with annotations. */
  public PodSpec withAnnotations(Map<String, String> value) {
    return with(name, priority, labels, value, placement, owner, grace, untouchable);
  }

  /** The same pod with a rule where it may run. */
  public PodSpec withPlacement(Placement value) {
    return with(name, priority, labels, annotations, value, owner, grace, untouchable);
  }

  /** The same pod, recreated by an owner. */
  public PodSpec ownedBy(OwnerSpec.Kind kind, String ownerName) {
    Optional<OwnerSpec> value = Optional.of(new OwnerSpec(kind, ownerName));
    return with(name, priority, labels, annotations, placement, value, grace, untouchable);
  }

  /** The same pod with another grace period. */
  public PodSpec withGrace(Duration value) {
    return with(name, priority, labels, annotations, placement, owner, value, untouchable);
  }

  /** The same pod, off limits for a reason. */
  public PodSpec untouchableFor(String reason) {
    Optional<String> value = Optional.of(reason);
    return with(name, priority, labels, annotations, placement, owner, grace, value);
  }

  private PodSpec with(
      String name,
      int priority,
      Map<String, String> labels,
      Map<String, String> annotations,
      Placement placement,
      Optional<OwnerSpec> owner,
      Duration grace,
      Optional<String> untouchable) {
    return new PodSpec(
        namespace,
        name,
        gpus,
        priority,
        labels,
        annotations,
        placement,
        owner,
        grace,
        otherAccelerators,
        untouchable);
  }
}
