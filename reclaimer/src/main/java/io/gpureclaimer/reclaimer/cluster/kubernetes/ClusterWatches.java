package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NamespaceSelection;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownSlice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.MetadataParser.KnownNamespace;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeParser.KnownNode;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ObjectParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser.KnownPod;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser.OtherPod;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser.WatchedPod;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ReclamationParser;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The three watches without which nothing is known, and those of owners, claims, their devices,
 * shares and records of actions, joined into one view. Safe for use by several threads.
 */
final class ClusterWatches implements AutoCloseable {
  /** How long a start waits for owners and claims, which are asked for one after the other. */
  private static final Duration OWNERS_FILL_WITHIN = Duration.ofSeconds(5);

  private static final ObjectKind RECLAMATION =
      new ObjectKind(Reclamation.API_VERSION, Reclamation.KIND);

  private final ObjectWatch<WatchedPod> pods;
  private final ObjectWatch<KnownNamespace> namespaces;
  private final ObjectWatch<KnownNode> nodes;
  private final KindWatches<OwnerView> owners;
  private final KindWatches<KnownClaim> claims;
  private final KindWatches<KnownSlice> slices;
  private final KindWatches<Reclamation> reclamations;

  /** Empty while no action changes owners. */
  private final Optional<ConflictWatches> conflicts;

  /** Empty where the activity of other components is not needed. */
  private final Optional<ProvisioningWatches> announcements;

  private final GroupWatches groups;
  private final ShareWatches shares;

  private final MonotonicClock monotonic;
  private final AtomicReference<Optional<Long>> firstLook = new AtomicReference<>(Optional.empty());

  private ClusterWatches(
      ObjectWatch<WatchedPod> pods,
      ObjectWatch<KnownNamespace> namespaces,
      ObjectWatch<KnownNode> nodes,
      KindWatches<OwnerView> owners,
      KindWatches<KnownClaim> claims,
      KindWatches<KnownSlice> slices,
      KindWatches<Reclamation> reclamations,
      Optional<ConflictWatches> conflicts,
      Optional<ProvisioningWatches> announcements,
      GroupWatches groups,
      ShareWatches shares,
      MonotonicClock monotonic) {
    this.pods = pods;
    this.namespaces = namespaces;
    this.nodes = nodes;
    this.owners = owners;
    this.claims = claims;
    this.slices = slices;
    this.reclamations = reclamations;
    this.conflicts = conflicts;
    this.announcements = announcements;
    this.groups = groups;
    this.shares = shares;
    this.monotonic = monotonic;
  }

  static ClusterWatches start(
      KubernetesClient client,
      ApiServer api,
      WatchTerms terms,
      PodParser parser,
      MonotonicClock monotonic) {
    Duration staleAfter = terms.staleAfter();
    var nodeParser = new NodeParser(terms.names());
    var claimKind = new ClaimKind(client, api, staleAfter, monotonic);
    var discovery = new Discovery(api);
    var kinds = new OwnerKinds(client, terms.ownerFields(), discovery, staleAfter, monotonic);
    return new ClusterWatches(
        ObjectWatch.start(
            "pods",
            client.pods().inAnyNamespace(),
            new ViewStore<>(Pod::new, parser::watched),
            staleAfter,
            monotonic),
        ObjectWatch.start(
            "namespaces",
            client.namespaces(),
            new ViewStore<>(
                Namespace::new, n -> Optional.of(KnownNamespace.of(n, terms.teamLabel()))),
            staleAfter,
            monotonic),
        ObjectWatch.start(
            "nodes",
            client.nodes(),
            new ViewStore<>(Node::new, node -> Optional.of(nodeParser.of(node))),
            staleAfter,
            monotonic),
        new KindWatches<>(
            "their workloads are only reported", kind -> Optional.of(kinds.watch(kind)), monotonic),
        new KindWatches<>(
            "what pods with claims do is unknown",
            _ -> Optional.of(claimKind.watchClaims()),
            monotonic),
        new KindWatches<>(
            "free GPUs of nodes that offer them by claims alone are unknown, and no pod with claims"
                + " is reclaimed for a pending one",
            _ -> Optional.of(claimKind.watchSlices()),
            monotonic),
        KindWatches.ofOptional(
            "no owner is acted on",
            client,
            discovery,
            object -> ReclamationParser.of(ObjectParser.tree(object)),
            staleAfter,
            monotonic),
        terms.ownerFields().isEmpty()
            ? Optional.empty()
            : Optional.of(ConflictWatches.start(client, discovery, staleAfter, monotonic)),
        terms.announcements()
            ? Optional.of(
                ProvisioningWatches.of(client, discovery, terms.names(), staleAfter, monotonic))
            : Optional.empty(),
        new GroupWatches(client, discovery, staleAfter, monotonic),
        new ShareWatches(client, terms.names(), discovery, staleAfter, monotonic),
        monotonic);
  }

  /**
   * What is known now.
   *
   * @throws ClusterUnreachable if pods, namespaces or nodes are not known; of owners, only at the
   *     start and for a moment
   */
  ClusterView view(Instant now) {
    UnaryOperator<KnownPod> budgeted = budgets();
    List<WatchedPod> watched = List.copyOf(pods.now());
    List<PodView> all =
        watched.stream()
            .filter(KnownPod.class::isInstance)
            .map(KnownPod.class::cast)
            .map(budgeted.andThen(this::joined))
            .toList();
    List<PodView> joined = all.stream().filter(pod -> pod.accelerators().mayBeAny()).toList();
    Optional<ClaimableNodes> claimable = claimable(watched);
    List<PodView> placed =
        joined.stream().map(pod -> withAllocatableClaims(pod, claimable)).toList();
    List<NodeView> plannable = plannable(placed);
    List<PodView> leaders = all.stream().filter(pod -> !pod.accelerators().mayBeAny()).toList();
    Map<String, NamespaceView> byName =
        namespaces.now().stream()
            .map(KnownNamespace::view)
            .collect(toUnmodifiableMap(NamespaceView::name, Function.identity()));
    Optional<Reclamations> records = records();
    SchedulingFacts scheduling =
        announcements
            .map(each -> each.about(placed, now))
            .orElse(SchedulingFacts.NONE)
            .with(groups.of(all))
            .withShares(shares.of(joined))
            .with(neighbors(watched, placed))
            .withClaimable(claimable.map(known -> known.of(nodes.now(), placed)).orElse(List.of()));
    return new ClusterView(
        placed, byName, plannable, above(placed, leaders, records), records, scheduling);
  }

  /** Rules between pods are needed only while a pod is pending. */
  private Neighbors neighbors(List<WatchedPod> watched, List<PodView> placed) {
    Map<String, Map<String, Long>> requested = requestedByOthers(watched, placed);
    if (placed.stream().noneMatch(pod -> pod.awaitsGpus() && pod.waiting().isPresent())) {
      return Neighbors.of(List.of(), List.of(), requested);
    }
    var selection =
        new NamespaceSelection(
            namespaces.now().stream()
                .collect(toUnmodifiableMap(each -> each.view().name(), KnownNamespace::labels)));
    List<Neighbor> all =
        watched.stream()
            .flatMap(
                pod ->
                    switch (pod) {
                      case KnownPod known -> known.neighbor().stream();
                      case OtherPod(var neighbor, _) -> Stream.of(neighbor);
                    })
            .map(selection::resolve)
            .toList();
    return Neighbors.of(all, nodes.now().stream().map(KnownNode::view).toList(), requested);
  }

  /** What pods request that are not among those with accelerators, by node and resource. */
  private static Map<String, Map<String, Long>> requestedByOthers(
      List<WatchedPod> watched, List<PodView> placed) {
    Set<String> known = placed.stream().map(pod -> pod.ref().uid()).collect(toUnmodifiableSet());
    Map<String, Map<String, Long>> byNode = new HashMap<>();
    for (WatchedPod pod : watched) {
      switch (pod) {
        case KnownPod each when !known.contains(each.view().ref().uid()) ->
            each.neighbor().ifPresent(other -> add(other, each.view().requests(), byNode));
        case KnownPod _ -> {}
        case OtherPod(var other, var requests) -> add(other, requests, byNode);
      }
    }
    return byNode;
  }

  private static void add(
      Neighbor pod, Map<String, Long> requests, Map<String, Map<String, Long>> byNode) {
    pod.node()
        .ifPresent(
            node -> {
              Map<String, Long> sum = byNode.computeIfAbsent(node, _ -> new HashMap<>());
              requests.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
            });
  }

  /**
   * What claims can allocate, from the first pod on that has one; nothing while claims or devices
   * cannot be read.
   */
  private Optional<ClaimableNodes> claimable(List<WatchedPod> watched) {
    if (!slices.haveBegun() && watched.stream().noneMatch(ClusterWatches::hasClaim)) {
      return Optional.empty();
    }
    Optional<KindWatch<KnownSlice>> published = slices.trusted(ClaimKind.SLICES);
    Optional<KindWatch<KnownClaim>> allocated = claims.trusted(ClaimKind.CLAIMS);
    return published.isPresent() && allocated.isPresent()
        ? Optional.of(new ClaimableNodes(published.get().lastKnown(), allocated.get().lastKnown()))
        : Optional.empty();
  }

  /** Where a driver has stopped, nothing is freed for others by ending a pod. */
  private static PodView withAllocatableClaims(PodView pod, Optional<ClaimableNodes> claimable) {
    return pod.node().isEmpty()
            || pod.accelerators().requestedByClaims().isEmpty()
            || claimable.filter(known -> known.couldBeAllocatedAgain(pod)).isPresent()
        ? pod
        : pod.onNode(pod.accelerators().withoutRequestsOfClaims(), Optional.empty());
  }

  private static boolean hasClaim(WatchedPod pod) {
    return pod instanceof KnownPod known && (known.hasExtendedClaim() || !known.claims().isEmpty());
  }

  /** The nodes with resources that can be freed for pending pods, or with pods that claim some. */
  private List<NodeView> plannable(List<PodView> placed) {
    Set<String> claimed =
        placed.stream()
            .filter(pod -> !pod.accelerators().requestedByClaims().isEmpty())
            .flatMap(pod -> pod.node().stream())
            .collect(toUnmodifiableSet());
    return nodes.now().stream()
        .map(KnownNode::view)
        .filter(node -> !node.devices().isEmpty() || claimed.contains(node.name()))
        .toList();
  }

  /** Adds to a pod the disruption budgets that select it. */
  private UnaryOperator<KnownPod> budgets() {
    return conflicts.map(ConflictWatches::budgets).orElse(UnaryOperator.identity());
  }

  /** A cluster without the kind has no records, and nowhere to keep one. */
  private Optional<Reclamations> records() {
    return conflicts.isPresent()
        ? reclamations
            .trusted(RECLAMATION)
            .filter(watch -> !(watch instanceof KindWatch.Absent<Reclamation>))
            .map(watch -> new Reclamations(List.copyOf(watch.lastKnown())))
        : Optional.empty();
  }

  /** A pod as it was last seen, without its disruption budgets; empty if it is not known. */
  Optional<PodView> lastKnown(PodRef pod) {
    return pods.lastKnown(pod.namespace(), pod.name())
        .filter(KnownPod.class::isInstance)
        .map(KnownPod.class::cast)
        .map(this::joined)
        .filter(found -> found.ref().equals(pod));
  }

  /**
   * The pod with the facts of its claims, its disruption budgets and its node. An old view of the
   * nodes is good enough, because nodes seldom change their kind.
   */
  PodView placed(KnownPod known) {
    return joined(budgets().apply(known));
  }

  private PodView joined(KnownPod known) {
    PodView pod = ClaimedDevices.of(known, claims);
    return pod.node().map(node -> placed(pod, node)).orElse(pod);
  }

  private PodView placed(PodView pod, String name) {
    Optional<KnownNode> node = nodes.lastKnown("", name);
    Optional<String> trouble = node.map(KnownNode::standing).orElse(Optional.of("not known"));
    var held = node.map(known -> known.held(pod.accelerators())).orElse(pod.accelerators());
    return trouble.isEmpty() && held.equals(pod.accelerators())
        ? pod
        : pod.onNode(held, trouble.map(why -> "on node " + name + ", which is " + why));
  }

  private Map<String, OwnerView> above(
      List<PodView> placed, List<PodView> leaders, Optional<Reclamations> records) {
    List<ObjectRef> acted =
        records.stream()
            .flatMap(known -> known.all().stream())
            .flatMap(record -> record.status().stream())
            .filter(progress -> !progress.state().isFinal())
            .map(Reclamation.ReclamationProgress::owner)
            .toList();
    Map<String, OwnerView> climbed = OwnerChainResolver.from(placed, leaders, acted, owners);
    Map<String, OwnerView> found =
        conflicts.map(each -> each.withAutoscalers(climbed)).orElse(climbed);
    if (isStarting() && !areSettled()) {
      throw new ClusterUnreachable(
          "read the owners and claims of pods", "their first lists are not complete");
    }
    return found;
  }

  private boolean areSettled() {
    return owners.areSettled()
        && claims.areSettled()
        && slices.areSettled()
        && reclamations.areSettled()
        && conflicts.stream().allMatch(ConflictWatches::areSettled)
        && groups.areSettled()
        && shares.areSettled()
        && announcements.stream().allMatch(ProvisioningWatches::areSettled);
  }

  private boolean isStarting() {
    long now = monotonic.nanos();
    long first = firstLook.updateAndGet(known -> known.or(() -> Optional.of(now))).orElseThrow();
    return now - first < OWNERS_FILL_WITHIN.toNanos();
  }

  @Override
  public void close() {
    pods.stop();
    namespaces.stop();
    nodes.stop();
    owners.close();
    claims.close();
    slices.close();
    reclamations.close();
    conflicts.ifPresent(ConflictWatches::close);
    announcements.ifPresent(ProvisioningWatches::close);
    groups.close();
    shares.close();
  }
}
