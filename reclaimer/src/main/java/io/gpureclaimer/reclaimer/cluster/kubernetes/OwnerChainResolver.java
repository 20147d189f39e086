package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One climb from pods to their owners, to the owners of those, and so on to the top; every owner is
 * looked up once, however many pods it has. Confined to one look.
 */
final class OwnerChainResolver {
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";

  /** What Kueue keeps for each Job and its like: the newest version first. */
  private static final List<ObjectKind> QUEUED =
      List.of(
          new ObjectKind("kueue.x-k8s.io/v1beta2", "Workload"),
          new ObjectKind("kueue.x-k8s.io/v1beta1", "Workload"));

  private static final String DYNAMO_GRAPH = "DynamoGraphDeployment.nvidia.com";

  /** What scales the services of a Dynamo graph: the newest version first. */
  private static final List<ObjectKind> ADAPTERS =
      List.of(
          new ObjectKind("nvidia.com/v1beta1", "DynamoGraphDeploymentScalingAdapter"),
          new ObjectKind("nvidia.com/v1alpha1", "DynamoGraphDeploymentScalingAdapter"));

  private final KindWatches<OwnerView> watches;
  private final Collection<PodView> pods;
  private final Collection<PodView> leaders;
  private final Map<ObjectKind, Optional<KindWatch<OwnerView>>> trusted = new HashMap<>();
  private final Map<String, PodView> byUid = new HashMap<>();
  private final Map<String, OwnerView> found = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Deque<UnresolvedOwner> open = new ArrayDeque<>();

  private record UnresolvedOwner(String namespace, Owner owner) {}

  private OwnerChainResolver(
      KindWatches<OwnerView> watches, Collection<PodView> pods, Collection<PodView> leaders) {
    this.watches = watches;
    this.pods = pods;
    this.leaders = leaders;
  }

  /**
   * These other owners and every owner above the pods, as far as they can be read, by UID.
   *
   * @param leaders pods without GPUs that may own some of the pods
   */
  static Map<String, OwnerView> from(
      Collection<PodView> pods,
      Collection<PodView> leaders,
      Collection<ObjectRef> others,
      KindWatches<OwnerView> watches) {
    return new OwnerChainResolver(watches, pods, leaders).climb(others);
  }

  private Map<String, OwnerView> climb(Collection<ObjectRef> others) {
    others.forEach(
        other ->
            go(
                other.namespace(),
                Optional.of(
                    new Owner(other.apiVersion(), other.kind(), other.name(), other.uid()))));
    pods.forEach(pod -> go(pod.ref().namespace(), pod.owner()));
    while (!open.isEmpty()) {
      UnresolvedOwner step = open.remove();
      read(step).ifPresent(view -> reached(step, view));
    }
    addControlled(QUEUED, OwnerChainResolver::isQueued);
    addControlled(ADAPTERS, view -> view.owner().qualifiedKind().equals(DYNAMO_GRAPH));
    return found;
  }

  /**
   * Objects that own no pods, and stop those of their controller: by these Kueue admits owners, and
   * Dynamo scales services.
   *
   * @param kinds versions of one kind
   * @param isController whether an owner may control such objects
   */
  private void addControlled(List<ObjectKind> kinds, Predicate<OwnerView> isController) {
    if (found.values().stream().noneMatch(isController)) {
      return;
    }
    kinds.stream()
        .flatMap(kind -> watches.trusted(kind).stream())
        .findFirst()
        .ifPresent(
            watch ->
                watch.lastKnown().stream()
                    .filter(
                        view ->
                            view.controller()
                                .map(owner -> found.get(owner.uid()))
                                .filter(isController)
                                .isPresent())
                    .toList()
                    .forEach(view -> found.put(view.owner().uid(), view)));
  }

  private static boolean isQueued(OwnerView owner) {
    return owner.details().filter(known -> known.labels().containsKey(QUEUE)).isPresent();
  }

  private void go(String namespace, Optional<Owner> owner) {
    owner
        .filter(each -> seen.add(each.uid()))
        .ifPresent(each -> open.add(new UnresolvedOwner(namespace, each)));
  }

  private void reached(UnresolvedOwner step, OwnerView view) {
    found.put(step.owner().uid(), view);
    go(step.namespace(), view.controller());
  }

  private Optional<OwnerView> read(UnresolvedOwner step) {
    ObjectKind kind = ObjectKind.of(step.owner());
    if (kind.equals(ObjectKind.NODE)) {
      return Optional.empty();
    }
    return kind.equals(ObjectKind.POD)
        ? pod(step.owner().uid()).map(pod -> asOwner(step.owner(), pod))
        : trusted
            .computeIfAbsent(kind, watches::trusted)
            .flatMap(watch -> watch.lastKnown(step.namespace(), step.owner().name()))
            .filter(view -> view.owner().uid().equals(step.owner().uid()));
  }

  /** Few pods own pods, so the table is made only when one does. */
  private Optional<PodView> pod(String uid) {
    if (byUid.isEmpty()) {
      leaders.forEach(pod -> byUid.put(pod.ref().uid(), pod));
      pods.forEach(pod -> byUid.put(pod.ref().uid(), pod));
    }
    return Optional.ofNullable(byUid.get(uid));
  }

  private static OwnerView asOwner(Owner owner, PodView pod) {
    return new OwnerView(owner, pod.ref().namespace(), pod.owner(), pod.annotations());
  }
}
