package io.gpureclaimer.reclaimer.cluster.simulated;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The controllers that recreate pods. They act at the next step after they noticed a loss. Confined
 * to the cluster's lock.
 */
final class Owners {
  private static final int RADIX = 36;
  private static final long FIRST_SUFFIX = 1_679_616 * 10L;

  private final ClusterState state;
  private final List<PodSpec> missing = new ArrayList<>();
  private final Set<Key> deleted = new HashSet<>();
  private long suffixes;

  private record Key(String namespace, OwnerSpec owner) {}

  Owners(ClusterState state) {
    this.state = state;
  }

  void podTerminates(PodSpec pod) {
    noticed(pod, OwnerSpec.Kind.REPLICA_SET);
  }

  void podIsGone(PodSpec pod) {
    noticed(pod, OwnerSpec.Kind.STATEFUL_SET);
  }

  void delete(String namespace, OwnerSpec owner) {
    deleted.add(new Key(namespace, owner));
    missing.removeIf(pod -> pod.namespace().equals(namespace) && owns(owner, pod));
  }

  static boolean owns(OwnerSpec owner, PodSpec pod) {
    return pod.owner().filter(owner::equals).isPresent();
  }

  void step() {
    missing.forEach(state::create);
    missing.clear();
  }

  private void noticed(PodSpec pod, OwnerSpec.Kind kind) {
    Optional<OwnerSpec> owner = pod.owner().filter(o -> o.kind() == kind);
    if (owner.isPresent() && !deleted.contains(new Key(pod.namespace(), owner.get()))) {
      missing.add(successor(pod, owner.get()));
    }
  }

  private PodSpec successor(PodSpec pod, OwnerSpec owner) {
    return switch (owner.kind()) {
      case STATEFUL_SET -> pod;
      case REPLICA_SET ->
          pod.named(owner.name() + "-" + Long.toString(FIRST_SUFFIX + suffixes++, RADIX));
    };
  }
}
