package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.List;
import java.util.Optional;

/**
 * The pods that are judged together: those of one controller, or one pod that has none.
 *
 * @param namespace where it lives
 * @param owner the controller that would recreate its pods
 * @param pods by name and UID, never empty
 */
public record Workload(String namespace, Optional<Owner> owner, List<PodView> pods) {
  public Workload {
    pods = List.copyOf(pods);
    if (pods.isEmpty()) {
      throw new IllegalArgumentException("a workload has at least one pod");
    }
    if (owner.isEmpty() && pods.size() > 1) {
      throw new IllegalArgumentException("without an owner it is one pod, was " + pods.size());
    }
  }

  /** {@code Pod} or the owner's kind. */
  public String kind() {
    return owner.map(Owner::kind).orElse("Pod");
  }

  /** The pod's or the owner's name. */
  public String name() {
    return owner.map(Owner::name).orElseGet(() -> pods.getFirst().ref().name());
  }

  /** The pod's or the owner's UID. */
  public String uid() {
    return owner.map(Owner::uid).orElseGet(() -> pods.getFirst().ref().uid());
  }

  /** How many whole GPUs its pods occupy. */
  public int gpusHeld() {
    return pods.stream().filter(PodView::holdsGpus).mapToInt(PodView::gpus).sum();
  }

  /** Whether something of a warning is written on it. What an owner's template says is not ours. */
  boolean carriesWarning() {
    return owner.isEmpty() && !(warningNote() instanceof WarningNote.None);
  }

  /** What is written on its first pod. */
  WarningNote warningNote() {
    return WarningNote.of(pods.getFirst().annotations());
  }

  @Override
  public String toString() {
    return kind() + " " + namespace + "/" + name();
  }
}
