package io.gpureclaimer.reclaimer.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in the order of their best victims for pending pods that need the same. It follows the
 * changes of nodes, so that the next pod of this kind costs little. Confined to one planning.
 *
 * <p>Rules between pods, and what a pod requests of resources that are not known to be scarce, can
 * only make the victims of a node worse. So for one pod, nodes are tried in this order, until the
 * next one is no better without them than the best one with them.
 */
final class NodeRanking {
  /** After so many forbidden nodes it is cheaper to go through all than to keep the order. */
  private static final int MOST_IN_ORDER = 200;

  private final Demand demand;
  private final int most;
  private final Comparator<VictimSet> order;
  private final PriorityQueue<RankedNode> queue;

  /** Nodes that have changed, as they are now; the queue has their former states as well. */
  private final Map<CandidateNode, Optional<RankedNode>> changed = new HashMap<>();

  /** How many changes of nodes it has followed. */
  private int followed;

  private record RankedNode(CandidateNode node, VictimSet victims) {}

  /**
   * The order of now.
   *
   * @param nodes those that suit
   * @param demand what pods of this kind need
   * @param most see {@link VictimSet#order}
   * @param followed how many changes the nodes have seen
   */
  NodeRanking(Collection<CandidateNode> nodes, Demand demand, int most, int followed) {
    this.demand = demand;
    this.most = most;
    this.followed = followed;
    order = VictimSet.order(most);
    List<RankedNode> ranked = new ArrayList<>(nodes.size());
    for (CandidateNode node : nodes) {
      node.victims(demand, most).ifPresent(victims -> ranked.add(new RankedNode(node, victims)));
    }
    queue =
        new PriorityQueue<>(
            Math.max(1, ranked.size()), Comparator.comparing(RankedNode::victims, order));
    queue.addAll(ranked);
  }

  /** Follows changes. */
  void follow(List<CandidateNode> changes) {
    for (CandidateNode node : new LinkedHashSet<>(changes.subList(followed, changes.size()))) {
      if (node.suits(demand.target())) {
        Optional<RankedNode> now =
            node.victims(demand, most).map(victims -> new RankedNode(node, victims));
        changed.put(node, now);
        now.ifPresent(queue::add);
      }
    }
    followed = changes.size();
  }

  /** The best victims of all nodes for a pod, with its rules if it has some. */
  Optional<VictimSet> best(Demand pod, Optional<PodCheck> check) {
    if (check.filter(PodCheck::isHopeless).isPresent()) {
      return Optional.empty();
    }
    var search = new RestrictedSearch(pod, check);
    List<RankedNode> tried = new ArrayList<>();
    for (RankedNode head = head(); head != null && search.mayBeBetter(head); head = head()) {
      if (tried.size() == MOST_IN_ORDER) {
        queue.stream().filter(this::isCurrent).forEach(search::add);
        break;
      }
      tried.add(queue.remove());
      search.add(head);
    }
    queue.addAll(tried);
    return Optional.ofNullable(search.best);
  }

  /** The best nodes for some pods together; fewer where many of the best lack other resources. */
  List<CandidateNode> first(int count, Demand together) {
    List<RankedNode> tried = new ArrayList<>(count);
    Set<CandidateNode> first = new LinkedHashSet<>();
    for (RankedNode head = head();
        head != null && first.size() < count && tried.size() < count + MOST_IN_ORDER;
        head = head()) {
      tried.add(queue.remove());
      if (head.node().victims(together, most).isPresent()) {
        first.add(head.node());
      }
    }
    queue.addAll(tried);
    return List.copyOf(first);
  }

  /**
   * The best nodes of each part of the cluster, of those that the rules of a pod allow.
   *
   * @param part the part of a node
   */
  <P> Map<P, List<CandidateNode>> first(
      int count, Demand pod, Optional<PodCheck> check, Function<CandidateNode, P> part) {
    Map<P, PriorityQueue<RankedNode>> parts = new LinkedHashMap<>();
    Comparator<RankedNode> worstFirst = Comparator.comparing(RankedNode::victims, order.reversed());
    for (RankedNode each : queue) {
      if (isCurrent(each)) {
        PriorityQueue<RankedNode> kept =
            parts.computeIfAbsent(
                part.apply(each.node()), _ -> new PriorityQueue<>(count + 1, worstFirst));
        if (kept.size() < count || worstFirst.compare(each, kept.element()) > 0) {
          each.node()
              .victims(pod, most, check, each.victims())
              .ifPresent(victims -> kept.add(new RankedNode(each.node(), victims)));
          if (kept.size() > count) {
            kept.remove();
          }
        }
      }
    }
    Map<P, List<CandidateNode>> first = new LinkedHashMap<>();
    parts.forEach((key, kept) -> first.put(key, kept.stream().map(RankedNode::node).toList()));
    return first;
  }

  private @Nullable RankedNode head() {
    while (!queue.isEmpty() && !isCurrent(queue.element())) {
      queue.remove();
    }
    return queue.peek();
  }

  private boolean isCurrent(RankedNode ranked) {
    Optional<RankedNode> latest = changed.get(ranked.node());
    return latest == null || latest.equals(Optional.of(ranked));
  }

  /** Search for the best victims for a pod, with all that it needs. */
  private final class RestrictedSearch {
    private final Demand restricted;
    private final Optional<PodCheck> check;
    private @Nullable VictimSet best;

    RestrictedSearch(Demand restricted, Optional<PodCheck> check) {
      this.restricted = restricted;
      this.check = check;
    }

    boolean mayBeBetter(RankedNode ranked) {
      return best == null || order.compare(ranked.victims(), best) < 0;
    }

    void add(RankedNode ranked) {
      if (mayBeBetter(ranked)) {
        ranked
            .node()
            .victims(restricted, most, check, ranked.victims())
            .filter(victims -> best == null || order.compare(victims, best) < 0)
            .ifPresent(victims -> best = victims);
      }
    }
  }
}
