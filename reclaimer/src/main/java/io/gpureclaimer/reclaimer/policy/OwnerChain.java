package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What controls a pod, and what controls that, up to the top.
 *
 * @param owners nearest first
 * @param seen those of them that could be read, in the same order
 */
record OwnerChain(List<Owner> owners, List<OwnerView> seen) {

  /** Higher than anything that people build; a ring of owners ends here too. */
  private static final int HIGHEST = 8;

  static final OwnerChain NONE = new OwnerChain(List.of(), List.of());

  OwnerChain {
    owners = List.copyOf(owners);
    seen = List.copyOf(seen);
  }

  /** Climbs from the pod. */
  static OwnerChain of(PodView pod, Map<String, OwnerView> views) {
    var owners = new ArrayList<Owner>();
    var seen = new ArrayList<OwnerView>();
    Optional<Owner> next = pod.owner();
    while (next.isPresent() && owners.size() < HIGHEST) {
      owners.add(next.get());
      Optional<OwnerView> view = Optional.ofNullable(views.get(next.get().uid()));
      view.ifPresent(seen::add);
      next = view.flatMap(OwnerView::controller);
    }
    return new OwnerChain(owners, seen);
  }
}
