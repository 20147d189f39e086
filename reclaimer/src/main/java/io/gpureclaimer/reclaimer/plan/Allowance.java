package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one plan may still do under all budgets. Confined to one planning. */
final class Allowance {
  private final Situation situation;
  private final Budgets budgets;
  private final Instant now;
  private final double gpusPerHour;
  private final Map<String, Integer> evictedOf = new HashMap<>();
  private int evicted;
  private int gpusFreed;

  Allowance(Situation situation, Budgets budgets) {
    this.situation = situation;
    this.budgets = budgets;
    this.now = situation.now();
    this.gpusPerHour = budgets.gpusPerHour(situation.gpus());
  }

  /** Why these cannot go together now; {@link NotNow#BUDGET_TOO_SMALL} if they never can. */
  Optional<NotNow> objection(List<Due> together) {
    Map<String, Long> byNamespace =
        together.stream()
            .collect(Collectors.groupingBy(Allowance::namespace, Collectors.counting()));
    boolean never =
        together.size() > budgets.perPlan()
            || together.size() > TokenBucket.capacity(budgets.perHour())
            || byNamespace.entrySet().stream()
                .anyMatch(each -> each.getValue() > most(each.getKey()));
    if (never && together.size() > 1) {
      return Optional.of(NotNow.BUDGET_TOO_SMALL);
    }
    return Stream.<Optional<NotNow>>concat(
            Stream.of(ofCluster(together.size(), gpus(together))),
            byNamespace.entrySet().stream()
                .map(each -> ofNamespace(each.getKey(), each.getValue().intValue())))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Why nobody else can go, whoever it is. */
  Optional<NotNow> exhausted() {
    return ofCluster(1, 1);
  }

  /** Why nobody else of the namespace can go. */
  Optional<NotNow> exhausted(String namespace) {
    return ofNamespace(namespace, 1);
  }

  /** Why nothing of its owner can go. */
  Optional<NotNow> ofOwner(Due due) {
    long before = situation.memory().names().inLastDay(due.pod().ref(), now);
    return before >= budgets.ownerPerDay() ? Optional.of(NotNow.OWNER_DAY_SPENT) : Optional.empty();
  }

  void take(Due due) {
    evicted++;
    gpusFreed += due.pod().accelerators().devices();
    evictedOf.merge(namespace(due), 1, Integer::sum);
  }

  private Optional<NotNow> ofCluster(int evictions, int gpus) {
    if (evicted + evictions > budgets.perPlan()) {
      return Optional.of(NotNow.BUDGET_SPENT);
    }
    double left =
        situation.memory().spending().cluster().filled(budgets.perHour(), now).tokens() - evicted;
    if (evictions > left) {
      return Optional.of(NotNow.HOUR_SPENT);
    }
    return gpuShareAllows(gpus) ? Optional.empty() : Optional.of(NotNow.GPU_SHARE_SPENT);
  }

  /** What is larger than the bucket may go when it is full; it then stays below zero for long. */
  private boolean gpuShareAllows(int gpus) {
    TokenBucket bucket = situation.memory().spending().gpus();
    double left = bucket.filled(gpusPerHour, now).tokens() - gpusFreed;
    return left >= Math.min(gpus, TokenBucket.capacity(gpusPerHour));
  }

  private Optional<NotNow> ofNamespace(String namespace, int evictions) {
    int before = evictedOf.getOrDefault(namespace, 0);
    NamespaceBudget caps = caps(namespace);
    if (before + evictions > caps.perPlan()) {
      return Optional.of(NotNow.NAMESPACE_BUDGET_SPENT);
    }
    TokenBucket bucket = situation.memory().spending().namespace(namespace);
    double left = bucket.filled(caps.perHour(), now).tokens() - before;
    return evictions > left ? Optional.of(NotNow.NAMESPACE_HOUR_SPENT) : Optional.empty();
  }

  private double most(String namespace) {
    NamespaceBudget caps = caps(namespace);
    return Math.min(caps.perPlan(), TokenBucket.capacity(caps.perHour()));
  }

  private NamespaceBudget caps(String namespace) {
    return situation.caps(namespace).within(budgets.namespace());
  }

  private static int gpus(List<Due> together) {
    return together.stream().mapToInt(due -> due.pod().accelerators().devices()).sum();
  }

  private static String namespace(Due due) {
    return due.pod().ref().namespace();
  }
}
