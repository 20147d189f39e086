package io.gpureclaimer.reclaimer.action;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Check of disruption budgets before all pods of a workload go. The API server asks them only for
 * evictions.
 */
final class DisruptionCheck {
  private DisruptionCheck() {}

  /** Why the pods must not go all at once; empty if every budget allows it. */
  static Optional<Refused> objection(Workload workload) {
    if (workload.pods().stream().anyMatch(pod -> pod.budgets().isEmpty())) {
      return Optional.of(
          new Refused(
              "budgets-unread",
              "the disruption budgets of its pods cannot be read",
              "the disruption budgets of "
                  + workload
                  + " cannot be read, and one of them could forbid the action"));
    }
    Map<String, BudgetView> budgets = new TreeMap<>();
    Map<String, Integer> disrupted = new TreeMap<>();
    workload.pods().stream()
        .filter(DisruptionCheck::isReady)
        .flatMap(pod -> pod.budgets().orElseThrow().stream())
        .forEach(
            budget -> {
              budgets.put(budget.name(), budget);
              disrupted.merge(budget.name(), 1, Integer::sum);
            });
    return budgets.values().stream()
        .filter(budget -> budget.disruptionsAllowed() < disrupted.getOrDefault(budget.name(), 0))
        .findFirst()
        .map(budget -> forbidden(budget, disrupted.getOrDefault(budget.name(), 0)));
  }

  /** Budgets count pods that are ready; the others are no disruption. */
  private static boolean isReady(PodView pod) {
    return pod.readyAt().isPresent() && !pod.terminating();
  }

  private static Refused forbidden(BudgetView budget, int disrupted) {
    return new Refused(
        "disruption-budget",
        "PodDisruptionBudget " + budget.name() + " does not allow it",
        "PodDisruptionBudget "
            + budget.name()
            + " allows "
            + budget.disruptionsAllowed()
            + " of its "
            + budget.healthy()
            + " healthy pods to be disrupted ("
            + budget.desired()
            + " desired), and the action would disrupt "
            + disrupted);
  }
}
