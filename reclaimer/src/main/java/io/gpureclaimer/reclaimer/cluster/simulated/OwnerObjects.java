package io.gpureclaimer.reclaimer.cluster.simulated;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The objects that own pods, as the API server keeps them. Confined to the cluster's lock. */
final class OwnerObjects {
  private final Map<String, StoredOwner> entries = new HashMap<>();
  private final Set<OwnerSpec.OwnerKind> hidden = EnumSet.noneOf(OwnerSpec.OwnerKind.class);

  private record StoredOwner(OwnerSpec.OwnerKind kind, OwnerView view) {
    StoredOwner annotated(Map<String, Optional<String>> changes) {
      var after = SimulatedApi.changed(view.annotations(), changes);
      return new StoredOwner(
          kind, new OwnerView(view.owner(), view.namespace(), view.controller(), after));
    }
  }

  /** The owner of a new pod; it and what is above it exist from now on. */
  Optional<Owner> of(PodSpec pod) {
    return pod.owner().map(owner -> put(pod.namespace(), owner));
  }

  void annotate(String namespace, OwnerSpec owner, Map<String, Optional<String>> changes) {
    entries.computeIfPresent(put(namespace, owner).uid(), (_, entry) -> entry.annotated(changes));
  }

  void delete(String namespace, OwnerSpec owner) {
    entries.remove(reference(namespace, owner).uid());
  }

  void hide(OwnerSpec.OwnerKind kind) {
    hidden.add(kind);
  }

  /** By UID, those that can be read. */
  Map<String, OwnerView> readable() {
    return entries.values().stream()
        .filter(entry -> !hidden.contains(entry.kind()))
        .map(StoredOwner::view)
        .collect(toUnmodifiableMap(view -> view.owner().uid(), view -> view));
  }

  private Owner put(String namespace, OwnerSpec spec) {
    Owner owner = reference(namespace, spec);
    if (!entries.containsKey(owner.uid())) {
      Optional<Owner> controller = spec.above().map(above -> put(namespace, above));
      var view = new OwnerView(owner, namespace, controller, Map.of());
      entries.put(owner.uid(), new StoredOwner(spec.kind(), view));
    }
    return owner;
  }

  private static Owner reference(String namespace, OwnerSpec spec) {
    String id = namespace + "/" + spec.kind() + "/" + spec.name();
    return new Owner(
        spec.kind().apiVersion(),
        spec.kind().kubernetesName(),
        spec.name(),
        UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString());
  }
}
