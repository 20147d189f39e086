package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disruption budget and the pods that it selects.
 *
 * @param selector empty if it selects no pods; a list without requirements selects all of them
 */
public record KnownBudget(
    String namespace, BudgetView view, Optional<List<LabelRequirement>> selector) {

  /** Reads one. As for an eviction, a status of an older budget allows no disruption. */
  public static KnownBudget of(PodDisruptionBudget budget) {
    PodDisruptionBudgetStatus status =
        Optional.ofNullable(budget.getStatus()).orElseGet(PodDisruptionBudgetStatus::new);
    boolean isCurrent =
        asZero(status.getObservedGeneration()) >= asZero(budget.getMetadata().getGeneration());
    return new KnownBudget(
        budget.getMetadata().getNamespace(),
        new BudgetView(
            budget.getMetadata().getName(),
            isCurrent ? (int) asZero(status.getDisruptionsAllowed()) : 0,
            (int) asZero(status.getCurrentHealthy()),
            (int) asZero(status.getDesiredHealthy())),
        Optional.ofNullable(budget.getSpec().getSelector()).map(KnownBudget::requirements));
  }

  /** Whether it is about a pod of its namespace with these labels. */
  public boolean selects(Map<String, String> labels) {
    return selector.filter(all -> all.stream().allMatch(each -> each.isMet(labels))).isPresent();
  }

  static List<LabelRequirement> requirements(LabelSelector selector) {
    return Stream.concat(
            MetadataParser.asEmpty(selector.getMatchLabels()).entrySet().stream()
                .map(label -> new LabelRequirement(label.getKey(), "In", Set.of(label.getValue()))),
            selector.getMatchExpressions().stream().map(KnownBudget::requirement))
        .toList();
  }

  private static LabelRequirement requirement(LabelSelectorRequirement sent) {
    return new LabelRequirement(sent.getKey(), sent.getOperator(), Set.copyOf(sent.getValues()));
  }

  /** The API server leaves a number out that is zero. */
  private static long asZero(@Nullable Number number) {
    return number == null ? 0 : number.longValue();
  }
}
