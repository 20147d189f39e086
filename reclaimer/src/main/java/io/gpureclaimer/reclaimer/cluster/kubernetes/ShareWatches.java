package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfNamespace;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfQueue;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Use;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Watches of what says to how many GPUs a namespace is entitled: ResourceQuotas, and the queues of
 * Kueue where it is installed. Safe for use by several threads.
 *
 * <p>Nothing is watched before the first GPU pod is pending.
 */
final class ShareWatches implements AutoCloseable {
  private static final ObjectKind QUOTA = new ObjectKind("v1", "ResourceQuota");

  /** The newest version first. */
  private static final List<String> KUEUE =
      List.of("kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1");

  private final KindWatches<Optional<KnownShare>> watches;

  ShareWatches(
      KubernetesClient client, Discovery discovery, Duration staleAfter, MonotonicClock monotonic) {
    watches =
        KindWatches.ofOptional(
            "no namespace counts as over its share by them",
            client,
            discovery,
            KnownShare::of,
            staleAfter,
            monotonic);
  }

  /** By namespace; of several shares, the one that is exceeded by most. */
  Map<String, GpuShare> of(List<PodView> pods) {
    if (pods.stream().noneMatch(pod -> pod.awaitsGpus() && pod.waiting().isPresent())) {
      return Map.of();
    }
    Map<String, GpuShare> shares = new HashMap<>();
    known(QUOTA, OfNamespace.class)
        .forEach(quota -> shares.merge(quota.namespace(), quota.share(), GpuShare::or));
    Map<String, GpuShare> queues = new HashMap<>();
    ofKueue("ClusterQueue", OfQueue.class)
        .forEach(queue -> queues.put(queue.queue(), queue.share()));
    ofKueue("LocalQueue", Use.class)
        .filter(use -> use.gpus() > 0 && queues.containsKey(use.queue()))
        .forEach(use -> shares.merge(use.namespace(), queues.get(use.queue()), GpuShare::or));
    return shares;
  }

  /** In the newest version that the API server has. */
  private <T extends KnownShare> Stream<T> ofKueue(String kind, Class<T> type) {
    return KUEUE.stream()
        .map(version -> new ObjectKind(version, kind))
        .filter(each -> !(watches.asked(each) instanceof KindWatch.Absent<Optional<KnownShare>>))
        .findFirst()
        .stream()
        .flatMap(each -> known(each, type));
  }

  private <T extends KnownShare> Stream<T> known(ObjectKind kind, Class<T> type) {
    return watches.trusted(kind).stream()
        .flatMap(watch -> watch.lastKnown().stream())
        .flatMap(Optional::stream)
        .filter(type::isInstance)
        .map(type::cast);
  }

  /** Whether there is nothing to wait for. */
  boolean areSettled() {
    return watches.areSettled();
  }

  @Override
  public void close() {
    watches.close();
  }
}
