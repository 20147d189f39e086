package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.plan.ActionBudgets.NamespaceBudget;
import io.gpureclaimer.reclaimer.plan.Planner.PlanInput;
import io.gpureclaimer.reclaimer.plan.SpentBudgets.HourlyBudget;
import io.gpureclaimer.reclaimer.plan.Step.WaitReason;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one plan may still do under all budgets. Confined to one planning. */
final class BudgetCheck {
  private final PlanInput input;
  private final ActionBudgets budgets;
  private final int perPlan;
  private final int perHour;
  private final Instant now;
  private final double gpusPerHour;
  private final Map<String, Integer> actionsIn = new HashMap<>();
  private int actions;
  private int gpusFreed;

  BudgetCheck(PlanInput input, ActionBudgets budgets) {
    this.input = input;
    this.budgets = budgets;
    this.now = input.now();
    this.perPlan = budgets.perPlan().in(input.gpus());
    this.perHour = budgets.perHour().in(input.gpus());
    this.gpusPerHour = budgets.gpusPerHour(input.gpus());
  }

  /**
   * Why these cannot be reclaimed together now; {@link WaitReason#BUDGET_TOO_SMALL} if they never
   * can.
   */
  Optional<WaitReason> objection(List<Due> together) {
    Map<String, Long> byNamespace =
        together.stream()
            .collect(Collectors.groupingBy(BudgetCheck::namespace, Collectors.counting()));
    boolean never =
        together.size() > perPlan
            || together.size() > HourlyBudget.capacity(perHour)
            || byNamespace.entrySet().stream()
                .anyMatch(each -> each.getValue() > most(each.getKey()));
    if (never && together.size() > 1) {
      return Optional.of(WaitReason.BUDGET_TOO_SMALL);
    }
    return Stream.<Optional<WaitReason>>concat(
            Stream.of(ofCluster(together.size(), gpus(together))),
            byNamespace.entrySet().stream()
                .map(each -> ofNamespace(each.getKey(), each.getValue().intValue())))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Why no other workload can be reclaimed. */
  Optional<WaitReason> exhausted() {
    return ofCluster(1, 1);
  }

  /** Why no other workload of the namespace can be reclaimed. */
  Optional<WaitReason> exhausted(String namespace) {
    return ofNamespace(namespace, 1);
  }

  /** Why this workload cannot be reclaimed again today. */
  Optional<WaitReason> onWorkload(Due due) {
    long before = input.history().actions().inLastDay(due.workload(), now);
    return before >= budgets.ownerPerDay()
        ? Optional.of(WaitReason.OWNER_DAY_SPENT)
        : Optional.empty();
  }

  void spend(Due due) {
    actions++;
    gpusFreed += due.workload().devicesHeld();
    actionsIn.merge(namespace(due), 1, Integer::sum);
  }

  private Optional<WaitReason> ofCluster(int more, int gpus) {
    if (actions + more > perPlan) {
      return Optional.of(WaitReason.BUDGET_SPENT);
    }
    double left = input.history().spent().cluster().filled(perHour, now).tokens() - actions;
    if (more > left) {
      return Optional.of(WaitReason.HOUR_SPENT);
    }
    return gpuShareAllows(gpus) ? Optional.empty() : Optional.of(WaitReason.GPU_SHARE_SPENT);
  }

  /** More than the whole budget may be spent when it is full; it then stays below zero for long. */
  private boolean gpuShareAllows(int gpus) {
    HourlyBudget bucket = input.history().spent().gpus();
    double left = bucket.filled(gpusPerHour, now).tokens() - gpusFreed;
    return left >= Math.min(gpus, HourlyBudget.capacity(gpusPerHour));
  }

  private Optional<WaitReason> ofNamespace(String namespace, int more) {
    int before = actionsIn.getOrDefault(namespace, 0);
    NamespaceBudget caps = caps(namespace);
    if (before + more > caps.perPlan()) {
      return Optional.of(WaitReason.NAMESPACE_BUDGET_SPENT);
    }
    HourlyBudget bucket = input.history().spent().namespace(namespace);
    double left = bucket.filled(caps.perHour(), now).tokens() - before;
    return more > left ? Optional.of(WaitReason.NAMESPACE_HOUR_SPENT) : Optional.empty();
  }

  private double most(String namespace) {
    NamespaceBudget caps = caps(namespace);
    return Math.min(caps.perPlan(), HourlyBudget.capacity(caps.perHour()));
  }

  private NamespaceBudget caps(String namespace) {
    return input.caps(namespace).within(budgets.namespace());
  }

  private static int gpus(List<Due> together) {
    return together.stream().mapToInt(due -> due.workload().devicesHeld()).sum();
  }

  private static String namespace(Due due) {
    return due.workload().namespace();
  }
}
