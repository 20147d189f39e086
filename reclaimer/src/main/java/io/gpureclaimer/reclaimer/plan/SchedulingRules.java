package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Rules between pods, as kube-scheduler enforces them: host ports, pod affinity and anti-affinity,
 * and topology spread. Terminating pods count as gone. Confined to one planning.
 *
 * <p>What a rule means is looked up once in a planning, and follows the pods that are placed and
 * removed. So pending pods with the same rules share it.
 */
final class SchedulingRules {
  private final Neighbors neighbors;
  private final PlacedPods placed = new PlacedPods();
  private final Map<String, NodeView> nodes = new HashMap<>();
  private final Map<RuleKey, PodsByDomain> meant = new HashMap<>();
  private final Map<SpreadKey, SpreadCounts> spreads = new HashMap<>();
  private final Map<DomainsKey, SpreadDomains> domains = new HashMap<>();

  /** By UID of the pending pod; valid while no pod is placed or removed. */
  private final Map<String, PodCheck> checks = new HashMap<>();

  /** Followed by what rules mean, when it is needed. */
  private final List<Change> changes = new ArrayList<>();

  /** The same by the namespace of the pod. */
  private final Map<String, List<Change>> changesByNamespace = new HashMap<>();

  private boolean isIndexed;

  SchedulingRules(Neighbors neighbors) {
    this.neighbors = neighbors;
  }

  /** Not before a pending pod needs it: most plannings have none with rules. */
  private void index() {
    if (!isIndexed) {
      isIndexed = true;
      neighbors.placed().forEach(placed::add);
      neighbors.nodes().forEach(each -> nodes.put(each.name(), each));
    }
  }

  /** A pod that was placed or removed. */
  record Change(Neighbor pod, boolean isPlaced) {
    /** Applies those from an index on; returns how many there are. */
    static int apply(
        List<Change> all, int from, Consumer<Neighbor> add, Consumer<Neighbor> remove) {
      all.subList(from, all.size())
          .forEach(change -> (change.isPlaced ? add : remove).accept(change.pod));
      return all.size();
    }
  }

  /**
   * Pods that terms mean.
   *
   * @param isHeld whether pods that have the only term are meant, rather than those that it names
   */
  private record RuleKey(List<PodTerm> terms, boolean isHeld) {}

  /** What the counts of a spread constraint depend on. */
  private record SpreadKey(Spread spread, String namespace, DomainsKey domains) {}

  /** What the domains of a spread constraint depend on. */
  private record DomainsKey(
      String topologyKey, Set<String> keys, Placement placement, boolean honorsTaints) {}

  /**
   * Nodes that count for a spread constraint.
   *
   * @param byNode the domain of each
   */
  private record SpreadDomains(Map<String, String> byNode, Set<String> values) {}

  /** The rules that concern a pending pod; empty where it may run beside any pods. */
  Optional<PodCheck> check(Demand demand) {
    Neighbor pod = neighbors.pending().get(demand.pod().uid());
    return pod == null
        ? Optional.empty()
        : Optional.of(checks.computeIfAbsent(pod.uid(), _ -> newCheck(pod, demand.placement())))
            .filter(check -> !check.isEmpty());
  }

  /** Whether the pod may run on the node once these workloads are gone. */
  boolean allow(Demand demand, NodeView node, Collection<Workload> gone) {
    return check(demand).map(check -> check.allows(node, uids(gone))).orElse(true);
  }

  /** A pending pod will run there, and nowhere else. */
  void place(PodRef pod, String node) {
    Neighbor neighbor = neighbors.pending().get(pod.uid());
    if (neighbor != null) {
      remove(pod);
      change(new Change(neighbor.on(node), true));
    }
  }

  /** A workload will be gone. */
  void remove(Workload workload) {
    if (neighbors.pending().isEmpty()) {
      return;
    }
    index();
    workload.pods().forEach(pod -> remove(pod.ref()));
  }

  /** A pod will be gone, or will not run where it was placed. */
  void remove(PodRef pod) {
    placed.find(pod.uid()).ifPresent(each -> change(new Change(each, false)));
  }

  /** How many pods were placed and removed so far. */
  int changes() {
    return changes.size();
  }

  /** Reverts the changes after the first so many, by as many more. */
  void undoTo(int first) {
    for (int index = changes.size() - 1; index >= first; index--) {
      Change each = changes.get(index);
      change(new Change(each.pod(), !each.isPlaced()));
    }
  }

  private void change(Change change) {
    index();
    changes.add(change);
    changesIn(change.pod().namespace()).add(change);
    if (change.isPlaced()) {
      placed.add(change.pod());
    } else {
      placed.remove(change.pod());
    }
    checks.clear();
  }

  static Set<String> uids(Collection<Workload> gone) {
    if (gone.isEmpty()) {
      return Set.of();
    }
    Set<String> uids = new HashSet<>();
    gone.forEach(workload -> workload.pods().forEach(pod -> uids.add(pod.ref().uid())));
    return uids;
  }

  private PodCheck newCheck(Neighbor pod, Placement placement) {
    index();
    List<PodsByDomain> apart = new ArrayList<>();
    placed.antiAffinityTo(pod).forEach(term -> apart.add(podsOf(new RuleKey(List.of(term), true))));
    pod.rules()
        .antiAffinity()
        .forEach(term -> apart.add(podsOf(new RuleKey(List.of(term), false))));
    Set<String> keys = new HashSet<>();
    pod.rules().spread().forEach(spread -> keys.add(spread.topologyKey()));
    return new PodCheck(
        pod,
        placed,
        apart.stream().filter(each -> !each.areGone(Set.of())).toList(),
        podsOf(new RuleKey(pod.rules().affinity(), false)),
        PodCheck.isMeantByAll(pod.rules().affinity(), pod),
        pod.rules().spread().stream()
            .map(spread -> countsOf(spread, pod.namespace(), keys, placement))
            .toList());
  }

  private List<Change> changesIn(String namespace) {
    return changesByNamespace.computeIfAbsent(namespace, _ -> new ArrayList<>());
  }

  /** At least those of pods that the rule may mean. */
  private List<Change> changesOf(RuleKey key) {
    if (key.isHeld() || key.terms().isEmpty()) {
      return changes;
    }
    PodTerm term = key.terms().getFirst();
    return term.namespaceSelector().isEmpty() && term.namespaces().size() == 1
        ? changesIn(term.namespaces().iterator().next())
        : changes;
  }

  private PodsByDomain podsOf(RuleKey key) {
    PodsByDomain pods = meant.computeIfAbsent(key, this::find);
    pods.follow(changesOf(key));
    return pods;
  }

  private PodsByDomain find(RuleKey key) {
    List<PodTerm> terms = key.terms();
    Stream<Neighbor> pods =
        terms.stream()
            .limit(1)
            .flatMap(term -> key.isHeld() ? placed.keepingAway(term) : placed.meantBy(term));
    return new PodsByDomain(
        key.isHeld()
            ? pod -> pod.rules().antiAffinity().contains(terms.getFirst())
            : pod -> !terms.isEmpty() && PodCheck.isMeantByAll(terms, pod),
        terms.stream().map(PodTerm::topologyKey).distinct().toList(),
        nodes,
        pods,
        changesOf(key).size());
  }

  private SpreadCounts countsOf(
      Spread spread, String namespace, Set<String> keys, Placement placement) {
    var counted =
        new DomainsKey(
            spread.topologyKey(),
            keys,
            new Placement(
                spread.honorsAffinity() ? placement.nodeSelector() : Map.of(),
                spread.honorsTaints() ? placement.tolerations() : List.of(),
                spread.honorsAffinity() ? placement.nodeTerms() : Optional.empty(),
                false),
            spread.honorsTaints());
    SpreadCounts counts =
        spreads.computeIfAbsent(
            new SpreadKey(spread, namespace, counted),
            _ -> {
              SpreadDomains found = domains.computeIfAbsent(counted, this::domains);
              return new SpreadCounts(
                  spread,
                  namespace,
                  found.byNode(),
                  found.values(),
                  placed.countedBy(spread, namespace),
                  changesIn(namespace).size());
            });
    counts.follow(changesIn(namespace));
    return counts;
  }

  private SpreadDomains domains(DomainsKey key) {
    Map<String, String> byNode = new HashMap<>();
    for (NodeView node : nodes.values()) {
      if (node.labels().keySet().containsAll(key.keys())
          && node.matches(key.placement())
          && (!key.honorsTaints() || node.isTolerated(key.placement()))) {
        byNode.put(node.name(), node.labels().getOrDefault(key.topologyKey(), ""));
      }
    }
    return new SpreadDomains(byNode, Set.copyOf(byNode.values()));
  }
}
