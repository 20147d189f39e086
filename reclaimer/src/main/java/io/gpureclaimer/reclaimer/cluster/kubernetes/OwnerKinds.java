package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.reading.OwnerReading;
import java.time.Duration;
import java.util.Optional;

/** Starts to watch kinds that own pods. Confined to the thread that resolves them. */
final class OwnerKinds {
  private final KubernetesClient client;
  private final Discovery discovery;
  private final Duration staleAfter;
  private final MonotonicClock monotonic;

  OwnerKinds(
      KubernetesClient client, Discovery discovery, Duration staleAfter, MonotonicClock monotonic) {
    this.client = MetadataOnly.of(client);
    this.discovery = discovery;
    this.staleAfter = staleAfter;
    this.monotonic = monotonic;
  }

  /**
   * Finds out how the kind is served, and starts to watch it.
   *
   * @throws io.gpureclaimer.reclaimer.cluster.ClusterUnreachable if that cannot be found out
   */
  Watched<OwnerView> watch(Kind kind) {
    ResourceDefinitionContext context = discovery.find(kind);
    var all = client.genericKubernetesResources(context);
    return Watched.start(
        context.getPlural(),
        context.isNamespaceScoped() ? all.inAnyNamespace() : all,
        new ViewStore<>(
            GenericKubernetesResource::new,
            object -> Optional.of(OwnerReading.of(object, kind.apiVersion(), kind.name()))),
        staleAfter,
        monotonic);
  }
}
