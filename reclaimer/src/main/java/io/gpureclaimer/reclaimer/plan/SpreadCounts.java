package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import io.gpureclaimer.reclaimer.plan.SchedulingRules.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Placed pods that count for a topology spread constraint, by domain. Confined to one planning. */
final class SpreadCounts {
  private final Spread spread;
  private final String namespace;
  private final Map<String, String> domainOfNode;
  private final Set<String> domains;

  /** Only domains with pods. */
  private final Map<String, Integer> byDomain = new HashMap<>();

  /** By UID, the domain. */
  private final Map<String, String> pods = new HashMap<>();

  /** Of all domains; computed again after a change. */
  private int fewest;

  private boolean isFewestKnown;

  private int followed;

  /**
   * Pods to begin with.
   *
   * @param domainOfNode by name, of the nodes that count
   * @param domains of these nodes
   * @param followed how many changes the pods have seen
   */
  SpreadCounts(
      Spread spread,
      String namespace,
      Map<String, String> domainOfNode,
      Set<String> domains,
      Stream<Neighbor> pods,
      int followed) {
    this.spread = spread;
    this.namespace = namespace;
    this.domainOfNode = domainOfNode;
    this.domains = domains;
    pods.forEach(this::add);
    this.followed = followed;
  }

  /** Follows what was placed and removed since it was last needed. */
  void follow(List<Change> changes) {
    followed = Change.apply(changes, followed, this::add, this::remove);
  }

  /** Adds a pod, if it counts. */
  private void add(Neighbor pod) {
    if (pod.namespace().equals(namespace) && spread.counts(pod.labels())) {
      String domain = domainOfNode.get(pod.node().orElse(""));
      if (domain != null && pods.put(pod.uid(), domain) == null) {
        byDomain.merge(domain, 1, Integer::sum);
        isFewestKnown = false;
      }
    }
  }

  private void remove(Neighbor pod) {
    String domain = pods.remove(pod.uid());
    if (domain != null) {
      byDomain.computeIfPresent(domain, (_, count) -> count == 1 ? null : count - 1);
      isFewestKnown = false;
    }
  }

  boolean contains(String uid) {
    return pods.containsKey(uid);
  }

  /**
   * Whether a pod may be added on the node once others are gone. Their absence makes counts
   * smaller, so the smallest is a former one or one of theirs.
   */
  boolean allows(NodeView node, Neighbor pod, Set<String> gone) {
    String domain = node.labels().get(spread.topologyKey());
    if (domain == null) {
      return false;
    }
    Map<String, Integer> fewer = gone.isEmpty() ? Map.of() : fewer(gone);
    int least = fewest();
    for (Map.Entry<String, Integer> each : fewer.entrySet()) {
      least = Math.min(least, byDomain.getOrDefault(each.getKey(), 0) - each.getValue());
    }
    int own = spread.counts(pod.labels()) ? 1 : 0;
    int here = byDomain.getOrDefault(domain, 0) - fewer.getOrDefault(domain, 0);
    return here + own - least(least) <= spread.maxSkew();
  }

  /** False only if none of these sets of pods, once gone, would allow the pod on the node. */
  boolean mayAllow(NodeView node, Neighbor pod, Set<String> removable) {
    String domain = node.labels().get(spread.topologyKey());
    if (domain == null) {
      return false;
    }
    int own = spread.counts(pod.labels()) ? 1 : 0;
    int here = byDomain.getOrDefault(domain, 0);
    return here + own - least(fewest()) <= spread.maxSkew()
        || here - fewer(removable).getOrDefault(domain, 0) + own - least(fewest())
            <= spread.maxSkew();
  }

  /** With fewer domains than required, one without pods is assumed. */
  private int least(int fewest) {
    return spread.minDomains().filter(min -> domains.size() < min).isPresent() ? 0 : fewest;
  }

  private int fewest() {
    if (!isFewestKnown) {
      fewest =
          byDomain.size() < domains.size()
              ? 0
              : byDomain.values().stream().mapToInt(Integer::intValue).min().orElse(0);
      isFewestKnown = true;
    }
    return fewest;
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
