package io.gpureclaimer.reclaimer.workload;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The owners of a pod, from the one that controls it up to the top.
 *
 * @param owners nearest first
 * @param unread the owner above them that could not be read; absent when the top was reached
 */
public record OwnerChain(List<OwnerView> owners, Optional<Owner> unread) {
  /** More than any real chain; owners that own each other in a circle end here. */
  private static final int TALLEST = 16;

  public OwnerChain {
    owners = List.copyOf(owners);
  }

  /** Climbs as far as the owners are known, by UID. */
  public static OwnerChain of(PodView pod, Map<String, OwnerView> known) {
    return from(pod.owner(), known);
  }

  /** An owner and those above it, as far as they are known, by UID. */
  public static OwnerChain of(OwnerView owner, Map<String, OwnerView> known) {
    return from(Optional.of(owner.owner()), known);
  }

  private static OwnerChain from(Optional<Owner> nearest, Map<String, OwnerView> known) {
    List<OwnerView> climbed = new ArrayList<>();
    Optional<Owner> next = nearest;
    while (next.isPresent() && climbed.size() < TALLEST) {
      OwnerView view = known.get(next.get().uid());
      if (view == null) {
        break;
      }
      climbed.add(view);
      next = view.controller();
    }
    return new OwnerChain(climbed, next);
  }

  /** Whether an owner is among those of a pod that are known. */
  public static boolean includes(String uid, PodView pod, Map<String, OwnerView> known) {
    Optional<Owner> next = pod.owner();
    for (int climbed = 0; next.isPresent() && climbed < TALLEST; climbed++) {
      OwnerView view = known.get(next.get().uid());
      if (view == null) {
        return false;
      }
      if (view.owner().uid().equals(uid)) {
        return true;
      }
      next = view.controller();
    }
    return false;
  }

  /** The highest owner of a pod that anything is known of. */
  static Optional<Owner> topOf(PodView pod, Map<String, OwnerView> known) {
    Optional<Owner> top = Optional.empty();
    Optional<Owner> next = pod.owner();
    for (int climbed = 0; next.isPresent() && climbed < TALLEST; climbed++) {
      OwnerView view = known.get(next.get().uid());
      if (view == null) {
        return next;
      }
      top = Optional.of(view.owner());
      next = view.controller();
    }
    return next.isPresent() ? next : top;
  }

  /** The highest owner that anything is known of. */
  Optional<Owner> top() {
    return unread.or(
        () -> owners.isEmpty() ? Optional.empty() : Optional.of(owners.getLast().owner()));
  }
}
