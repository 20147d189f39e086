package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfNamespace;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfQueue;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Use;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Watches of what says to how many devices a namespace is entitled: ResourceQuotas, and the queues
 * of Kueue where it is installed. Safe for use by several threads.
 *
 * <p>Nothing is watched before the first GPU pod is pending. Kueue's Workloads are watched from the
 * first pod on that has claims while a queue has quotas of resources that may be devices of claims.
 */
final class ShareWatches implements AutoCloseable {
  private static final ObjectKind QUOTA = new ObjectKind("v1", "ResourceQuota");

  /** The newest version first. */
  private static final List<String> KUEUE =
      List.of("kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1");

  private final KindWatches<Optional<KnownShare>> watches;
  private final AcceleratorNames names;

  ShareWatches(
      KubernetesClient client,
      AcceleratorNames names,
      Discovery discovery,
      Duration staleAfter,
      MonotonicClock monotonic) {
    this.names = names;
    watches =
        KindWatches.ofOptional(
            "no namespace counts as over its share by them",
            client,
            discovery,
            object -> KnownShare.of(object, names),
            staleAfter,
            monotonic);
  }

  /** By namespace; of several shares of a resource, the one that is exceeded by most. */
  Map<String, List<GpuShare>> of(List<PodView> pods) {
    if (pods.stream().noneMatch(pod -> pod.awaitsGpus() && pod.waiting().isPresent())) {
      return Map.of();
    }
    Map<String, Map<String, GpuShare>> shares = new HashMap<>();
    known(QUOTA, OfNamespace.class)
        .forEach(quota -> add(shares, quota.namespace(), quota.shares().stream()));
    Map<String, List<GpuShare>> queues = new HashMap<>();
    ofKueue("ClusterQueue", OfQueue.class)
        .forEach(queue -> queues.put(queue.queue(), queue.shares()));
    Map<String, Set<String>> classes = classes(queues, pods);
    ofKueue("LocalQueue", Use.class)
        .forEach(
            use ->
                add(
                    shares,
                    use.namespace(),
                    queues.getOrDefault(use.queue(), List.of()).stream()
                        .filter(share -> use.resources().contains(share.resource()))
                        .flatMap(share -> counted(share, classes))));
    return shares.entrySet().stream()
        .collect(toUnmodifiableMap(Entry::getKey, each -> List.copyOf(each.getValue().values())));
  }

  /** A share with Kueue's name of a resource, by the names of the devices that it counts. */
  private Stream<GpuShare> counted(GpuShare share, Map<String, Set<String>> classes) {
    return Stream.concat(
            names.counted(share.resource()).stream(),
            classes.getOrDefault(share.resource(), Set.of()).stream())
        .map(name -> new GpuShare(share.source(), name, share.used(), share.entitled()));
  }

  /** What Kueue calls devices of claims, see {@link MappedClasses}. */
  private Map<String, Set<String>> classes(Map<String, List<GpuShare>> queues, List<PodView> pods) {
    boolean mayCountClaims =
        queues.values().stream()
            .flatMap(List::stream)
            .anyMatch(share -> names.counted(share.resource()).isEmpty());
    List<PodView> claiming =
        pods.stream().filter(pod -> !pod.accelerators().requestedByClass().isEmpty()).toList();
    return mayCountClaims && !claiming.isEmpty()
        ? MappedClasses.of(claiming, ofKueue("Workload", Admission.class).toList())
        : Map.of();
  }

  /** By namespace and, in order, by resource. */
  private static void add(
      Map<String, Map<String, GpuShare>> shares, String namespace, Stream<GpuShare> more) {
    more.forEach(
        share ->
            shares
                .computeIfAbsent(namespace, _ -> new TreeMap<>())
                .merge(share.resource(), share, GpuShare::or));
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
