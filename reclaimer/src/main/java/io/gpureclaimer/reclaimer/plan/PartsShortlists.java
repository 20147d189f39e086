package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import io.gpureclaimer.reclaimer.plan.CandidateNodes.NodePart;
import io.gpureclaimer.reclaimer.plan.CandidateNodes.NodeParts;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Nodes for a group of pending pods with rules about other pods. The best nodes of the cluster may
 * all be in one zone, so the best of each part of it are taken; where all members must be near each
 * other, each part is a shortlist of its own in addition. Confined to one planning.
 */
final class PartsShortlists {
  private static final int MOST_PARTS = 16;
  private static final int MOST_NODES = 512;

  private final CandidateNodes nodes;
  private final PendingUnit unit;
  private final int most;

  /** Labels of nodes that the rules name. */
  private final Set<String> keys = new LinkedHashSet<>();

  /** Those that all members must have in common. */
  private final Set<String> common = new LinkedHashSet<>();

  /** Those of which each node has another value. */
  private final Set<String> ofOneNode = new HashSet<>();

  /** The others, whose values are the part of the cluster that a node is in. */
  private final List<String> ofParts;

  PartsShortlists(CandidateNodes nodes, PendingUnit unit, int most) {
    this.nodes = nodes;
    this.unit = unit;
    this.most = most;
    List<Neighbor> pods =
        unit.members().stream()
            .flatMap(member -> nodes.check(member).stream())
            .map(PodCheck::pod)
            .toList();
    for (Neighbor pod : pods) {
      for (PodTerm term : pod.rules().affinity()) {
        keys.add(term.topologyKey());
        if (pods.stream().anyMatch(other -> term.mayMean(other.namespace(), other.labels()))) {
          common.add(term.topologyKey());
        }
      }
      pod.rules().antiAffinity().stream().map(PodTerm::topologyKey).forEach(keys::add);
      pod.rules().spread().stream().map(Spread::topologyKey).forEach(keys::add);
    }
    Target target = unit.members().getFirst().target();
    keys.stream().filter(key -> nodes.isOfOneNode(target, key)).forEach(ofOneNode::add);
    ofParts = keys.stream().filter(key -> !ofOneNode.contains(key)).toList();
  }

  /** The nodes of each search, by target. */
  List<Map<Target, List<CandidateNode>>> all() {
    Map<Target, List<CandidateNode>> whole = new HashMap<>();
    for (Target target : unit.targets()) {
      List<CandidateNode> suitable = nodes.suitable(target);
      boolean isSmall = suitable.size() <= GroupSearch.MOST_NODES_IN_FULL;
      whole.put(target, isSmall ? suitable : bestOfParts(target));
    }
    return common.isEmpty()
        ? List.of(whole)
        : Stream.concat(Stream.of(whole), parts(whole).stream()).toList();
  }

  private List<CandidateNode> bestOfParts(Target target) {
    Map<NodePart, Set<CandidateNode>> byPart = new LinkedHashMap<>();
    Set<CandidateNode> together = new LinkedHashSet<>();
    Set<Map<String, Integer>> sizes = new HashSet<>();
    int count = unit.members().size() + GroupSearch.SPARE_NODES;
    for (Demand member : unit.members()) {
      if (member.target().equals(target) && sizes.add(member.devices())) {
        nodes
            .ranking(member, most)
            .first(count, member, nodes.check(member), nodes.parts(ofParts)::of)
            .forEach(
                (part, found) ->
                    byPart.computeIfAbsent(part, _ -> new LinkedHashSet<>()).addAll(found));
        if (common.stream().anyMatch(ofOneNode::contains)) {
          together.addAll(withRoomForAll(member));
        }
      }
    }
    Stream<Set<CandidateNode>> cheapest =
        cheapest(byPart, this::cost, Math.max(MOST_PARTS, MOST_NODES / count));
    return Stream.concat(together.stream(), cheapest.flatMap(Set::stream)).distinct().toList();
  }

  private List<CandidateNode> withRoomForAll(Demand member) {
    Demand all = unit.together(member.target());
    return nodes
        .ranking(all, most)
        .first(MOST_PARTS, all, nodes.check(member), _ -> "")
        .getOrDefault("", List.of());
  }

  /** The cheapest parts that all members may have in common, each with its nodes by target. */
  private List<Map<Target, List<CandidateNode>>> parts(Map<Target, List<CandidateNode>> whole) {
    NodeParts commonParts = nodes.parts(List.copyOf(common));
    Map<NodePart, Map<Target, List<CandidateNode>>> parts = new LinkedHashMap<>();
    whole.forEach(
        (target, all) ->
            all.forEach(
                node ->
                    parts
                        .computeIfAbsent(commonParts.of(node), _ -> new HashMap<>())
                        .computeIfAbsent(target, _ -> new ArrayList<>())
                        .add(node)));
    parts.values().removeIf(part -> part.size() < whole.size());
    return cheapest(parts, part -> part.values().stream().mapToDouble(this::cost).sum(), MOST_PARTS)
        .toList();
  }

  /** Of equal cost, the first by the values of their labels. */
  private static <T> Stream<T> cheapest(
      Map<NodePart, T> parts, ToDoubleFunction<T> cost, int most) {
    return parts.entrySet().stream()
        .sorted(
            Comparator.comparingDouble(
                    (Map.Entry<NodePart, T> each) -> cost.applyAsDouble(each.getValue()))
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .map(Map.Entry::getValue);
  }

  /** What one member costs there, about: of a single node exactly, for all of them together. */
  private double cost(Collection<CandidateNode> part) {
    Demand first = unit.members().getFirst();
    Demand wanted = part.size() == 1 ? unit.together(first.target()) : first;
    return part.stream()
        .flatMap(node -> node.victims(wanted, most).stream())
        .mapToLong(VictimSet::cost)
        .sorted()
        .limit(unit.members().size())
        .average()
        .orElse(Double.MAX_VALUE);
  }
}
