package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.plan.Step.Evict;
import io.gpureclaimer.reclaimer.plan.Step.Wait;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.Verdict.Due;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which of the workloads that are due go now. What goes in any case goes first; only what
 * waiting pods still miss then is taken from workloads that go on demand. Confined to one planning.
 */
final class Evictions {
  private static final Comparator<Due> LONGEST_IDLE_FIRST =
      Comparator.comparing(Due::idleFor).reversed().thenComparing(due -> due.pod().ref().uid());

  /** What two waiting pods have in common when one cannot be served because the other cannot. */
  private record Shape(int gpus, Placement placement) {
    static Shape of(Demand demand) {
      return new Shape(demand.gpus(), demand.placement());
    }
  }

  private final int maxEvictions;
  private final List<NodeView> nodes;
  private final FreeGpus free;
  private final Set<Shape> hopeless = new HashSet<>();
  private final Map<String, List<Due>> candidates = new HashMap<>();
  private final Map<Due, NotNow> held = new HashMap<>();
  private final List<Evict> evicted = new ArrayList<>();

  private Evictions(int maxEvictions, ClusterView cluster) {
    this.maxEvictions = maxEvictions;
    this.nodes = cluster.nodes();
    this.free = new FreeGpus(cluster);
  }

  /** A step for each workload that is due: who goes, in this order, and then who waits. */
  static List<Step> of(
      Collection<Due> due, List<Demand> demands, int maxEvictions, ClusterView cluster) {
    var evictions = new Evictions(maxEvictions, cluster);
    List<Due> ordered = due.stream().sorted(LONGEST_IDLE_FIRST).toList();
    ordered.stream().filter(each -> each.mode() == Mode.ALWAYS).forEach(evictions::go);
    ordered.stream().filter(each -> each.mode() != Mode.ALWAYS).forEach(evictions::offer);
    demands.stream().takeWhile(_ -> evictions.mayGoOn()).forEach(evictions::serve);
    return evictions.steps(ordered, evictions.otherwise(demands));
  }

  private boolean mayGoOn() {
    return evicted.size() < maxEvictions;
  }

  private NotNow otherwise(List<Demand> demands) {
    if (demands.isEmpty()) {
      return NotNow.NOBODY_WAITS;
    }
    return mayGoOn() ? NotNow.NOT_NEEDED : NotNow.BUDGET_SPENT;
  }

  private void go(Due due) {
    if (mayGoOn()) {
      evicted.add(new Evict(due, Optional.empty()));
      due.pod().node().ifPresent(node -> free.give(node, due.pod().gpus()));
    } else {
      held.put(due, NotNow.BUDGET_SPENT);
    }
  }

  /** Who waits, waits for whole GPUs: what holds none has none to offer. */
  private void offer(Due due) {
    due.pod()
        .node()
        .filter(_ -> due.pod().gpus() > 0)
        .ifPresent(node -> candidates.computeIfAbsent(node, _ -> new ArrayList<>()).add(due));
  }

  private void serve(Demand demand) {
    if (hopeless.contains(Shape.of(demand))) {
      return;
    }
    Optional<Victims> best =
        nodes.stream().flatMap(node -> victims(node, demand).stream()).min(Victims.BEST_FIRST);
    if (best.isPresent()) {
      settle(demand, best.get());
    } else {
      hopeless.add(Shape.of(demand));
    }
  }

  private Optional<Victims> victims(NodeView node, Demand demand) {
    int missing = demand.gpus() - free.on(node.name());
    List<Due> onNode = candidates.getOrDefault(node.name(), List.of());
    boolean possible = missing <= 0 || !onNode.isEmpty();
    if (!possible || !node.suits(demand.placement())) {
      return Optional.empty();
    }
    List<Due> lesser =
        onNode.stream().filter(due -> due.pod().priority() <= demand.priority()).toList();
    return VictimSearch.best(node.name(), missing, lesser);
  }

  /** What serves the one is promised to it, now or in a later plan, and serves nobody else. */
  private void settle(Demand demand, Victims victims) {
    int count = victims.pods().size();
    if (count > maxEvictions) {
      hopeless.add(Shape.of(demand));
      victims.pods().forEach(due -> held.put(due, NotNow.BUDGET_TOO_SMALL));
      return;
    }
    free.take(victims.node(), demand.gpus());
    victims.pods().forEach(this::promise);
    if (evicted.size() + count <= maxEvictions) {
      victims.pods().forEach(due -> evicted.add(new Evict(due, Optional.of(demand))));
    } else {
      victims.pods().forEach(due -> held.put(due, NotNow.BUDGET_SPENT));
    }
  }

  private void promise(Due due) {
    String node = due.pod().node().orElseThrow();
    free.give(node, due.pod().gpus());
    candidates.computeIfPresent(node, (_, others) -> without(due, others));
  }

  private static List<Due> without(Due due, List<Due> others) {
    return others.stream().filter(other -> !other.equals(due)).toList();
  }

  private List<Step> steps(List<Due> ordered, NotNow otherwise) {
    Set<Due> going = evicted.stream().map(Evict::verdict).collect(Collectors.toSet());
    Stream<Step> waits =
        ordered.stream()
            .filter(due -> !going.contains(due))
            .map(due -> new Wait(due, held.getOrDefault(due, otherwise)));
    return Stream.concat(evicted.stream(), waits).toList();
  }
}
