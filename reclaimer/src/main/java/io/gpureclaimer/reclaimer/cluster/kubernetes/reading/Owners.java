package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.gpureclaimer.reclaimer.cluster.Owner;
import java.util.List;
import java.util.Optional;

/** The one owner of an object that controls it, and so would recreate it. */
final class Owners {
  private Owners() {}

  /** Its controller; where none of its owners says that it is, the first of them counts as one. */
  static Optional<OwnerReference> nearest(ObjectMeta metadata) {
    List<OwnerReference> all = metadata.getOwnerReferences();
    return all.stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst()
        .or(() -> all.stream().findFirst());
  }

  static Optional<Owner> of(ObjectMeta metadata) {
    return nearest(metadata).map(Owners::read);
  }

  private static Owner read(OwnerReference reference) {
    return new Owner(
        Absent.asEmpty(reference.getApiVersion()).intern(),
        reference.getKind().intern(),
        reference.getName(),
        reference.getUid());
  }
}
