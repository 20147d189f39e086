package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rules between pods, as kube-scheduler enforces them: host ports, pod affinity and anti-affinity,
 * and topology spread. Terminating pods count as gone. Confined to one planning.
 */
final class SchedulingRules {
  private final Map<String, Neighbor> placed = new HashMap<>();

  /** Those that are placed, by namespace and UID. */
  private final Map<String, Map<String, Neighbor>> byNamespace = new HashMap<>();

  /** Those that are placed and keep others away, by what they say and UID. */
  private final Map<PodTerm, Map<String, Neighbor>> keepingAway = new HashMap<>();

  /** Those that are placed and occupy ports, by UID. */
  private final Map<String, Neighbor> withPorts = new HashMap<>();

  private final Map<String, Neighbor> pending;
  private final Map<String, NodeView> nodes = new HashMap<>();

  private final Map<DomainsKey, Set<String>> domains = new HashMap<>();

  /** By UID of the pending pod; valid while no pod is placed or removed. */
  private final Map<String, PodCheck> checks = new HashMap<>();

  SchedulingRules(Neighbors neighbors) {
    neighbors.placed().forEach(this::add);
    neighbors.nodes().forEach(each -> nodes.put(each.name(), each));
    pending = neighbors.pending();
  }

  /** Whether any pod limits where this one may run, or it limits itself. */
  boolean concern(Demand demand) {
    return check(demand).isPresent();
  }

  /** Whether the pod may run on the node once these workloads are gone. */
  boolean allow(Demand demand, NodeView node, Collection<Workload> gone) {
    return check(demand).map(check -> check.allows(node, uids(gone))).orElse(true);
  }

  /** Whether the pod may need others to stay: those that it must be near, or is spread among. */
  boolean requireOthers(Demand demand) {
    return Optional.ofNullable(pending.get(demand.pod().uid()))
        .map(Neighbor::rules)
        .filter(rules -> !rules.affinity().isEmpty() || !rules.spread().isEmpty())
        .isPresent();
  }

  /** A pending pod will run there. */
  void place(PodRef pod, String node) {
    Neighbor neighbor = pending.get(pod.uid());
    if (neighbor != null) {
      add(neighbor.on(node));
      checks.clear();
    }
  }

  private void add(Neighbor pod) {
    placed.put(pod.uid(), pod);
    byNamespace.computeIfAbsent(pod.namespace(), _ -> new HashMap<>()).put(pod.uid(), pod);
    for (PodTerm term : pod.rules().antiAffinity()) {
      keepingAway.computeIfAbsent(term, _ -> new HashMap<>()).put(pod.uid(), pod);
    }
    if (!pod.rules().ports().isEmpty()) {
      withPorts.put(pod.uid(), pod);
    }
  }

  /** A workload will be gone. */
  void remove(Workload workload) {
    for (PodView pod : workload.pods()) {
      Neighbor known = placed.remove(pod.ref().uid());
      if (known != null) {
        byNamespace.getOrDefault(known.namespace(), Map.of()).remove(known.uid());
        keepingAway.values().forEach(holders -> holders.remove(known.uid()));
        withPorts.remove(known.uid());
        checks.clear();
      }
    }
  }

  /** Pods that a term may mean. */
  private Stream<Neighbor> candidates(PodTerm term) {
    return term.namespaceSelector().isPresent()
        ? placed.values().stream()
        : term.namespaces().stream().flatMap(this::in);
  }

  private Stream<Neighbor> in(String namespace) {
    return byNamespace.getOrDefault(namespace, Map.of()).values().stream();
  }

  private static Set<String> uids(Collection<Workload> gone) {
    if (gone.isEmpty()) {
      return Set.of();
    }
    Set<String> uids = new HashSet<>();
    gone.forEach(workload -> workload.pods().forEach(pod -> uids.add(pod.ref().uid())));
    return uids;
  }

  private Optional<PodCheck> check(Demand demand) {
    Neighbor pod = pending.get(demand.pod().uid());
    return pod == null
        ? Optional.empty()
        : Optional.of(checks.computeIfAbsent(pod.uid(), _ -> new PodCheck(pod, demand.placement())))
            .filter(check -> !check.isEmpty());
  }

  private Optional<String> valueOn(Neighbor pod, String key) {
    return pod.node().map(nodes::get).flatMap(node -> Optional.ofNullable(node.labels().get(key)));
  }

  /** Pods by a label of their nodes and its value. Confined to one planning. */
  private final class PodsByDomain {
    private final Map<String, Map<String, List<String>>> uids = new HashMap<>();

    void add(Neighbor pod, String key) {
      valueOn(pod, key)
          .ifPresent(
              value ->
                  uids.computeIfAbsent(key, _ -> new HashMap<>())
                      .computeIfAbsent(value, _ -> new ArrayList<>(1))
                      .add(pod.uid()));
    }

    boolean isEmpty() {
      return uids.isEmpty();
    }

    Set<String> keys() {
      return uids.keySet();
    }

    List<String> beside(NodeView node, String key) {
      String value = node.labels().get(key);
      return value == null
          ? List.of()
          : uids.getOrDefault(key, Map.of()).getOrDefault(value, List.of());
    }
  }

  /** Rules that concern one pending pod. Confined to one planning. */
  private final class PodCheck {
    private final PodRules rules;

    /** Pods that must not be in the same domain, for whichever side's anti-affinity. */
    private final PodsByDomain apart = new PodsByDomain();

    /** Pods that are all that the affinity asks for. */
    private final PodsByDomain near = new PodsByDomain();

    /** By node, those that occupy ports which the pod needs. */
    private final Map<String, List<String>> sharingPorts = new HashMap<>();

    private final Set<String> allNear = new HashSet<>();
    private final boolean isNearItself;
    private final List<SpreadCounts> spreads;

    PodCheck(Neighbor pod, Placement placement) {
      rules = pod.rules();
      isNearItself = isMeantByAll(rules.affinity(), pod);
      keepingAway.forEach(
          (term, holders) -> {
            if (term.mayMean(pod.namespace(), pod.labels())) {
              holders.values().forEach(other -> apart.add(other, term.topologyKey()));
            }
          });
      for (PodTerm term : rules.antiAffinity()) {
        candidates(term)
            .filter(other -> term.mayMean(other.namespace(), other.labels()))
            .forEach(other -> apart.add(other, term.topologyKey()));
      }
      rules.affinity().stream()
          .limit(1)
          .flatMap(SchedulingRules.this::candidates)
          .filter(other -> isMeantByAll(rules.affinity(), other))
          .forEach(
              other -> {
                allNear.add(other.uid());
                rules.affinity().forEach(term -> near.add(other, term.topologyKey()));
              });
      if (!rules.ports().isEmpty()) {
        withPorts.values().stream()
            .filter(
                other ->
                    rules.ports().stream()
                        .anyMatch(
                            port -> other.rules().ports().stream().anyMatch(port::conflictsWith)))
            .forEach(
                other ->
                    sharingPorts
                        .computeIfAbsent(other.node().orElseThrow(), _ -> new ArrayList<>(1))
                        .add(other.uid()));
      }
      spreads =
          rules.spread().stream()
              .map(spread -> new SpreadCounts(spread, pod, placement, rules.spread()))
              .toList();
    }

    private static boolean isMeantByAll(List<PodTerm> terms, Neighbor pod) {
      return terms.stream().allMatch(term -> term.mayMean(pod.namespace(), pod.labels()));
    }

    boolean isEmpty() {
      return apart.isEmpty()
          && rules.affinity().isEmpty()
          && sharingPorts.isEmpty()
          && spreads.isEmpty();
    }

    boolean allows(NodeView node, Set<String> gone) {
      return gone.containsAll(sharingPorts.getOrDefault(node.name(), List.of()))
          && spreads.stream().allMatch(spread -> spread.allows(node, gone))
          && isApart(node, gone)
          && isNear(node, gone);
    }

    private boolean isApart(NodeView node, Set<String> gone) {
      for (String key : apart.keys()) {
        if (!gone.containsAll(apart.beside(node, key))) {
          return false;
        }
      }
      return true;
    }

    /** The first pod of its kind needs no other one near. */
    private boolean isNear(NodeView node, Set<String> gone) {
      if (rules.affinity().isEmpty()) {
        return true;
      }
      boolean isFirst = isNearItself && gone.containsAll(allNear);
      for (PodTerm term : rules.affinity()) {
        if (!node.labels().containsKey(term.topologyKey())
            || (!isFirst && gone.containsAll(near.beside(node, term.topologyKey())))) {
          return false;
        }
      }
      return true;
    }
  }

  /** Pods of each domain that count for a spread constraint. Confined to one planning. */
  private final class SpreadCounts {
    private final Spread spread;
    private final int own;

    /** Of all spread constraints of the pod; a node without one of them does not count. */
    private final List<String> keys;

    private final Map<String, Integer> byValue = new HashMap<>();

    /** By UID, the value of the domain. */
    private final Map<String, String> pods = new HashMap<>();

    private final int fewest;

    SpreadCounts(Spread spread, Neighbor pod, Placement placement, List<Spread> all) {
      this.spread = spread;
      own = spread.counts(pod.labels()) ? 1 : 0;
      keys = all.stream().map(Spread::topologyKey).toList();
      domains(spread, keys, placement).forEach(value -> byValue.put(value, 0));
      in(pod.namespace())
          .filter(other -> spread.counts(other.labels()))
          .forEach(
              other ->
                  other.node().map(nodes::get).ifPresent(node -> count(other, node, placement)));
      fewest = byValue.values().stream().mapToInt(Integer::intValue).min().orElse(0);
    }

    private void count(Neighbor other, NodeView node, Placement placement) {
      if (isIncluded(spread, keys, node, placement)) {
        String value = node.labels().get(spread.topologyKey());
        byValue.merge(value, 1, Integer::sum);
        pods.put(other.uid(), value);
      }
    }

    /** Pods that are gone make counts smaller, so the smallest is a former one or one of theirs. */
    boolean allows(NodeView node, Set<String> gone) {
      String value = node.labels().get(spread.topologyKey());
      if (value == null) {
        return false;
      }
      Map<String, Integer> fewer = gone.isEmpty() ? Map.of() : fewer(gone);
      int least = fewest;
      for (Map.Entry<String, Integer> each : fewer.entrySet()) {
        least = Math.min(least, byValue.getOrDefault(each.getKey(), 0) - each.getValue());
      }
      boolean tooFewDomains = spread.minDomains().filter(min -> byValue.size() < min).isPresent();
      int here = byValue.getOrDefault(value, 0) - fewer.getOrDefault(value, 0);
      return here + own - (tooFewDomains ? 0 : least) <= spread.maxSkew();
    }

    /** How many of the pods of each domain are gone. */
    private Map<String, Integer> fewer(Set<String> gone) {
      Map<String, Integer> fewer = new HashMap<>();
      for (String uid : gone) {
        String domain = pods.get(uid);
        if (domain != null) {
          fewer.merge(domain, 1, Integer::sum);
        }
      }
      return fewer;
    }
  }

  /** Values of the topology key on the nodes that count, of which there are many. */
  private Set<String> domains(Spread spread, List<String> keys, Placement placement) {
    var key =
        new DomainsKey(
            spread.topologyKey(), keys, spread.honorsAffinity(), spread.honorsTaints(), placement);
    return domains.computeIfAbsent(
        key,
        _ ->
            nodes.values().stream()
                .filter(node -> isIncluded(spread, keys, node, placement))
                .map(node -> node.labels().getOrDefault(spread.topologyKey(), ""))
                .collect(Collectors.toUnmodifiableSet()));
  }

  private static boolean isIncluded(
      Spread spread, List<String> keys, NodeView node, Placement placement) {
    return node.labels().keySet().containsAll(keys)
        && (!spread.honorsAffinity() || node.matches(placement))
        && (!spread.honorsTaints() || node.isTolerated(placement));
  }

  /** What the domains of a spread constraint depend on. */
  private record DomainsKey(
      String topologyKey,
      List<String> keys,
      boolean honorsAffinity,
      boolean honorsTaints,
      Placement placement) {}
}
