package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The disruption budgets, judged as the eviction API judges them: a new budget blocks until its
 * controller has seen it, and two budgets over one pod are an error. Confined to the cluster's
 * lock.
 */
final class DisruptionBudgets {
  private static final Duration UNTIL_OBSERVED = Duration.ofSeconds(10);
  private static final String NO_ROOM =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  private final ClusterState state;
  private final Map<String, DisruptionBudget> budgets = new LinkedHashMap<>();
  private final Set<DisruptionBudget> observed = new HashSet<>();

  DisruptionBudgets(ClusterState state) {
    this.state = state;
  }

  void put(DisruptionBudget budget) {
    budgets.put(budget.namespace() + "/" + budget.name(), budget);
  }

  void remove(String namespace, String name) {
    budgets.remove(namespace + "/" + name);
  }

  boolean isEmpty() {
    return budgets.isEmpty();
  }

  void step() {
    observed.clear();
    observed.addAll(budgets.values());
  }

  /** The budgets that select the pod, with their numbers. */
  List<BudgetView> of(SimulatedPod pod) {
    if (budgets.isEmpty()) {
      return List.of();
    }
    return budgets.values().stream()
        .filter(budget -> budget.selects(pod.spec()))
        .map(this::view)
        .toList();
  }

  private BudgetView view(DisruptionBudget budget) {
    int healthy = healthy(budget);
    int allowed = observed.contains(budget) ? Math.max(0, healthy - budget.minAvailable()) : 0;
    return new BudgetView(budget.name(), allowed, healthy, budget.minAvailable());
  }

  private int healthy(DisruptionBudget budget) {
    return Math.toIntExact(
        state.pods().stream()
            .filter(SimulatedPod::healthy)
            .filter(pod -> budget.selects(pod.spec()))
            .count());
  }

  /** Why the pod must stay; empty if no budget says so. */
  Optional<ActionResult> objection(SimulatedPod pod) {
    List<DisruptionBudget> selecting =
        budgets.values().stream().filter(budget -> budget.selects(pod.spec())).toList();
    if (!pod.healthy() || selecting.isEmpty()) {
      return Optional.empty();
    }
    if (selecting.size() > 1) {
      return Optional.of(
          ActionResult.refused(
              500,
              "This pod has more than one PodDisruptionBudget, which the eviction subresource does"
                  + " not support."));
    }
    return objection(selecting.getFirst());
  }

  private Optional<ActionResult> objection(DisruptionBudget budget) {
    if (!observed.contains(budget)) {
      return Optional.of(
          new ActionResult.Blocked(
              Optional.of(UNTIL_OBSERVED),
              NO_ROOM
                  + " The disruption budget "
                  + budget.name()
                  + " is still being processed by the server."));
    }
    int healthy = healthy(budget);
    if (healthy > budget.minAvailable()) {
      return Optional.empty();
    }
    return Optional.of(
        new ActionResult.Blocked(
            Optional.empty(),
            NO_ROOM
                + " The disruption budget "
                + budget.name()
                + " needs "
                + budget.minAvailable()
                + " healthy pods and has "
                + healthy
                + " currently"));
  }
}
