package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Namespaces by their labels, for terms of pod affinity that select some. Each selector is
 * evaluated once, so this is valid as long as the labels are. Confined to one thread.
 */
public final class NamespaceSelection {
  private final Map<String, Map<String, String>> labels;
  private final Map<List<LabelRequirement>, Set<String>> selected = new HashMap<>();

  /**
   * Namespaces of a cluster.
   *
   * @param labels those of each namespace, by its name
   */
  public NamespaceSelection(Map<String, Map<String, String>> labels) {
    this.labels = Map.copyOf(labels);
  }

  /** The pod with the names of namespaces in its terms, instead of requirements on labels. */
  public Neighbor resolve(Neighbor pod) {
    if (!pod.rules().selectsNamespaces()) {
      return pod;
    }
    PodRules rules =
        pod.node().isPresent()
            ? pod.rules().resolve(this::select)
            : pod.rules().resolvePending(this::select);
    return new Neighbor(pod.uid(), pod.namespace(), pod.labels(), pod.node(), rules);
  }

  private Set<String> select(List<LabelRequirement> selector) {
    return selected.computeIfAbsent(
        selector,
        all ->
            labels.entrySet().stream()
                .filter(namespace -> PodRules.areMet(all, namespace.getValue()))
                .map(Entry::getKey)
                .collect(Collectors.toUnmodifiableSet()));
  }
}
