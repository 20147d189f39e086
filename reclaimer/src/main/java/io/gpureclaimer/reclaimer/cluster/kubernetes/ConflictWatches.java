package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownAutoscaler;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownAutoscaler.ScaleTarget;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownBudget;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser.KnownPod;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Watches of what would undo or forbid an action on an owner: autoscalers and disruption budgets.
 * Safe for use by several threads.
 */
final class ConflictWatches implements AutoCloseable {
  private static final ObjectKind HPA = new ObjectKind("autoscaling/v2", "HorizontalPodAutoscaler");
  private static final ObjectKind SCALED_OBJECT =
      new ObjectKind("keda.sh/v1alpha1", Autoscaler.SCALED_OBJECT);
  private static final ObjectKind BUDGET = new ObjectKind("policy/v1", "PodDisruptionBudget");

  private final KindWatches<KnownAutoscaler> autoscalers;
  private final KindWatches<KnownBudget> budgets;

  private ConflictWatches(
      KindWatches<KnownAutoscaler> autoscalers, KindWatches<KnownBudget> budgets) {
    this.autoscalers = autoscalers;
    this.budgets = budgets;
  }

  /** Watches each kind from the first question on. */
  static ConflictWatches start(
      KubernetesClient client, Discovery discovery, Duration staleAfter, MonotonicClock monotonic) {
    return new ConflictWatches(
        new KindWatches<>(
            "no owner is scaled",
            kind ->
                kind.equals(HPA)
                    ? Optional.of(horizontal(client, staleAfter, monotonic))
                    : discovery
                        .findOptional(kind)
                        .map(
                            context ->
                                ObjectWatch.start(
                                    client,
                                    context,
                                    KnownAutoscaler::ofScaledObject,
                                    staleAfter,
                                    monotonic)),
            monotonic),
        new KindWatches<>(
            "no owner is acted on",
            _ -> Optional.of(budgets(client, staleAfter, monotonic)),
            monotonic));
  }

  private static ObjectWatch<KnownAutoscaler> horizontal(
      KubernetesClient client, Duration staleAfter, MonotonicClock monotonic) {
    return ObjectWatch.start(
        "horizontalpodautoscalers",
        client.resources(HorizontalPodAutoscaler.class).inAnyNamespace(),
        new ViewStore<>(HorizontalPodAutoscaler::new, KnownAutoscaler::of),
        staleAfter,
        monotonic);
  }

  private static ObjectWatch<KnownBudget> budgets(
      KubernetesClient client, Duration staleAfter, MonotonicClock monotonic) {
    return ObjectWatch.start(
        "poddisruptionbudgets",
        client.resources(PodDisruptionBudget.class).inAnyNamespace(),
        new ViewStore<>(PodDisruptionBudget::new, budget -> Optional.of(KnownBudget.of(budget))),
        staleAfter,
        monotonic);
  }

  /** The owners with the autoscalers that scale them, by UID. */
  Map<String, OwnerView> withAutoscalers(Map<String, OwnerView> owners) {
    Optional<Map<ScaleTarget, List<Autoscaler>>> byTarget = byTarget();
    Map<String, OwnerView> scaled = new HashMap<>(owners);
    scaled.replaceAll(
        (_, owner) ->
            owner.details().isEmpty()
                ? owner
                : owner.scaledBy(
                    byTarget.map(all -> all.getOrDefault(ScaleTarget.of(owner), List.of()))));
    return scaled;
  }

  /** Empty unless both kinds can be read; a cluster without KEDA has no ScaledObjects. */
  private Optional<Map<ScaleTarget, List<Autoscaler>>> byTarget() {
    var horizontal = autoscalers.trusted(HPA);
    var keda = autoscalers.trusted(SCALED_OBJECT);
    return horizontal.isEmpty() || keda.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Stream.of(horizontal.get().lastKnown(), keda.get().lastKnown())
                .flatMap(Collection::stream)
                .collect(
                    groupingBy(
                        KnownAutoscaler::target, mapping(KnownAutoscaler::autoscaler, toList()))));
  }

  /** Adds to pods the disruption budgets that select them, as they are known now. */
  UnaryOperator<KnownPod> budgets() {
    Optional<Map<String, List<KnownBudget>>> byNamespace =
        budgets
            .trusted(BUDGET)
            .map(watch -> watch.lastKnown().stream().collect(groupingBy(KnownBudget::namespace)));
    return pod -> pod.selectedBy(byNamespace.map(all -> selecting(pod, all)));
  }

  private static List<BudgetView> selecting(KnownPod pod, Map<String, List<KnownBudget>> all) {
    return all.getOrDefault(pod.view().ref().namespace(), List.of()).stream()
        .filter(budget -> budget.selects(pod.labels()))
        .map(KnownBudget::view)
        .toList();
  }

  /** Whether there is nothing to wait for. */
  boolean areSettled() {
    return autoscalers.areSettled() && budgets.areSettled();
  }

  @Override
  public void close() {
    autoscalers.close();
    budgets.close();
  }
}
