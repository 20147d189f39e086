package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.SimulatedAgents.SimulatedHolder;
import io.gpureclaimer.reclaimer.simulate.SimulatedWorkload.LifePhase;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Preemption as the default plugin of kube-scheduler decides it: on each node, all pods of lower
 * priority are taken away in thought, and the most important ones are put back while the pending
 * pod still fits. Of the nodes, the one is chosen whose most important victim has the lowest
 * priority, then with the lowest sum of priorities, then with the fewest victims, then whose most
 * important victims started last. Confined to the thread of the simulation.
 */
final class Preemption {
  /** So that more pods count more, even if their priorities are negative. */
  private static final long PRIORITY_OFFSET = Integer.MAX_VALUE + 1L;

  private final Collection<TracedNode> nodes;
  private final ToIntFunction<SimulatedWorkload> priority;

  /** Nodes on which pending workloads wait for their victims. */
  private final Map<SimulatedWorkload, String> nominated = new HashMap<>();

  /**
   * @param nodes that are there at the moment
   * @param priority of a workload
   */
  Preemption(Collection<TracedNode> nodes, ToIntFunction<SimulatedWorkload> priority) {
    this.nodes = nodes;
    this.priority = priority;
  }

  /** Pods of one node that have to go; none if others there are going already. */
  private record NodeVictims(
      String node,
      int highestPriority,
      long prioritySum,
      long latestStart,
      List<SimulatedHolder> pods) {
    static final Comparator<NodeVictims> BEST =
        Comparator.comparingInt(NodeVictims::highestPriority)
            .thenComparingLong(NodeVictims::prioritySum)
            .thenComparingInt(victims -> victims.pods().size())
            .thenComparing(Comparator.comparingLong(NodeVictims::latestStart).reversed())
            .thenComparing(NodeVictims::node);
  }

  /** Workloads that fit the same nodes and may evict the same pods. */
  private record PendingShape(int gpus, Set<String> models, int priority) {}

  /**
   * The pods to evict now.
   *
   * @param pending workloads without GPUs
   * @param holdings of all pods by the node, terminating ones among them
   */
  List<SimulatedHolder> victims(
      Collection<SimulatedWorkload> pending, Map<String, List<SimulatedHolder>> holdings) {
    nominated.keySet().retainAll(Set.copyOf(pending));
    List<SimulatedHolder> victims = new ArrayList<>();
    Set<PendingShape> hopeless = new HashSet<>();
    pending.stream()
        .sorted(
            Comparator.comparingInt((SimulatedWorkload each) -> -priority.applyAsInt(each))
                .thenComparingLong(SimulatedWorkload::since))
        .forEach(
            each -> {
              var shape =
                  new PendingShape(
                      each.trace().gpus(), each.trace().models(), priority.applyAsInt(each));
              if (!isWaiting(each, holdings) && !hopeless.contains(shape)) {
                Optional<NodeVictims> found = best(each, holdings, Set.copyOf(victims));
                found.ifPresentOrElse(
                    chosen -> {
                      nominated.put(each, chosen.node());
                      victims.addAll(chosen.pods());
                    },
                    () -> hopeless.add(shape));
              }
            });
    return victims;
  }

  /** Whether a pending workload waits for its victims. */
  boolean isNominated(SimulatedWorkload pending) {
    return nominated.containsKey(pending);
  }

  /** Whether pods of lower priority are terminating on its node. */
  private boolean isWaiting(
      SimulatedWorkload pending, Map<String, List<SimulatedHolder>> holdings) {
    return Optional.ofNullable(nominated.get(pending)).stream()
        .flatMap(node -> holdings.getOrDefault(node, List.of()).stream())
        .anyMatch(
            each ->
                !isRunning(each)
                    && priority.applyAsInt(each.workload()) < priority.applyAsInt(pending));
  }

  private static boolean isRunning(SimulatedHolder holding) {
    return holding.workload().phase() == LifePhase.RUNNING
        && holding.since() == holding.workload().runningSince();
  }

  private Optional<NodeVictims> best(
      SimulatedWorkload pending,
      Map<String, List<SimulatedHolder>> holdings,
      Set<SimulatedHolder> chosen) {
    Set<String> models = pending.trace().models();
    return nodes.stream()
        .filter(node -> models.isEmpty() || models.contains(node.model()))
        .flatMap(
            node ->
                victims(pending, node, holdings.getOrDefault(node.name(), List.of()), chosen)
                    .stream())
        .min(NodeVictims.BEST);
  }

  private Optional<NodeVictims> victims(
      SimulatedWorkload pending,
      TracedNode node,
      List<SimulatedHolder> held,
      Set<SimulatedHolder> chosen) {
    int its = priority.applyAsInt(pending);
    int room = node.gpus() - reserved(pending, node.name());
    List<SimulatedHolder> lower = new ArrayList<>();
    for (SimulatedHolder each : held) {
      if (!isRunning(each) || chosen.contains(each)) {
        continue;
      }
      if (priority.applyAsInt(each.workload()) < its) {
        lower.add(each);
      } else {
        room -= each.devices().size();
      }
    }
    if (room < pending.trace().gpus()) {
      return Optional.empty();
    }
    return Optional.of(reprieve(node.name(), lower, room - pending.trace().gpus()));
  }

  /** GPUs that other pending workloads of at least this priority were promised. */
  private int reserved(SimulatedWorkload pending, String node) {
    return nominated.entrySet().stream()
        .filter(each -> each.getValue().equals(node) && each.getKey() != pending)
        .filter(each -> priority.applyAsInt(each.getKey()) >= priority.applyAsInt(pending))
        .mapToInt(each -> each.getKey().trace().gpus())
        .sum();
  }

  /** The most important pods stay while there is room: higher priority, then earlier start. */
  private NodeVictims reprieve(String node, List<SimulatedHolder> lower, int room) {
    lower.sort(
        Comparator.comparingInt((SimulatedHolder each) -> -priority.applyAsInt(each.workload()))
            .thenComparingLong(SimulatedHolder::since));
    int left = room;
    int highest = Integer.MIN_VALUE;
    long sum = 0;
    long start = Long.MAX_VALUE;
    List<SimulatedHolder> victims = new ArrayList<>();
    for (SimulatedHolder each : lower) {
      if (each.devices().size() <= left) {
        left -= each.devices().size();
        continue;
      }
      int its = priority.applyAsInt(each.workload());
      if (victims.isEmpty()) {
        highest = its;
      }
      if (its == highest) {
        start = Math.min(start, each.since());
      }
      sum += its + PRIORITY_OFFSET;
      victims.add(each);
    }
    return new NodeVictims(node, highest, sum, start, victims);
  }
}
