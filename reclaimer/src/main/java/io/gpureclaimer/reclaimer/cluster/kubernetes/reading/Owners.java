package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.reclaimer.cluster.Owner;
import java.util.Optional;

/** The one owner of a pod that controls it, and so would recreate it. */
final class Owners {
  private Owners() {}

  static Optional<OwnerReference> controller(Pod pod) {
    return pod.getMetadata().getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }

  static Optional<Owner> of(Pod pod) {
    return controller(pod)
        .map(owner -> new Owner(owner.getKind(), owner.getName(), owner.getUid()));
  }
}
