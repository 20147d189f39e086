package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.PodRules.HostPort;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Pods that have a node, indexed by what rules between pods select: namespace, labels,
 * anti-affinity terms and host ports. Confined to one planning.
 */
final class PlacedPods {
  private final Map<String, Neighbor> byUid = new HashMap<>();
  private final Map<String, Map<String, Neighbor>> byNamespace = new HashMap<>();

  /** By key and value; only of keys that a selector has named. */
  private final Map<String, Map<String, Map<String, Neighbor>>> byLabel = new HashMap<>();

  /** Pods by their anti-affinity. */
  private final Map<PodTerm, Map<String, Neighbor>> byAntiAffinity = new HashMap<>();

  /** Anti-affinity by a label that it requires; the empty list where it requires none. */
  private final Map<List<String>, Set<PodTerm>> antiAffinityByLabel = new HashMap<>();

  /** By port, then by node. */
  private final Map<Integer, Map<String, List<Neighbor>>> byPort = new HashMap<>();

  void add(Neighbor pod) {
    byUid.put(pod.uid(), pod);
    byNamespace.computeIfAbsent(pod.namespace(), _ -> new HashMap<>()).put(pod.uid(), pod);
    byLabel.forEach((key, values) -> addTo(values, key, pod));
    for (PodTerm term : pod.rules().antiAffinity()) {
      byAntiAffinity
          .computeIfAbsent(
              term,
              _ -> {
                labels(term)
                    .forEach(
                        label ->
                            antiAffinityByLabel
                                .computeIfAbsent(label, _ -> new HashSet<>())
                                .add(term));
                return new HashMap<>();
              })
          .put(pod.uid(), pod);
    }
    for (HostPort port : pod.rules().ports()) {
      byPort
          .computeIfAbsent(port.port(), _ -> new HashMap<>())
          .computeIfAbsent(pod.node().orElseThrow(), _ -> new ArrayList<>(1))
          .add(pod);
    }
  }

  Optional<Neighbor> find(String uid) {
    return Optional.ofNullable(byUid.get(uid));
  }

  void remove(Neighbor pod) {
    byUid.remove(pod.uid());
    byNamespace.getOrDefault(pod.namespace(), Map.of()).remove(pod.uid());
    byLabel.forEach(
        (key, values) ->
            Optional.ofNullable(pod.labels().get(key))
                .map(values::get)
                .ifPresent(pods -> pods.remove(pod.uid())));
    pod.rules()
        .antiAffinity()
        .forEach(term -> byAntiAffinity.getOrDefault(term, Map.of()).remove(pod.uid()));
    for (HostPort port : pod.rules().ports()) {
      byPort
          .getOrDefault(port.port(), Map.of())
          .getOrDefault(pod.node().orElseThrow(), List.of())
          .remove(pod);
    }
  }

  /** Those that the term means, or may mean. */
  Stream<Neighbor> meantBy(PodTerm term) {
    return candidates(
            term.selector(), term.namespaceSelector().isPresent() ? Set.of() : term.namespaces())
        .filter(pod -> term.mayMean(pod.namespace(), pod.labels()));
  }

  /** Those that count for a spread constraint of a pod in the namespace. */
  Stream<Neighbor> countedBy(Spread spread, String namespace) {
    return candidates(spread.selector(), Set.of(namespace))
        .filter(pod -> pod.namespace().equals(namespace) && spread.counts(pod.labels()));
  }

  /** Those with this anti-affinity. */
  Collection<Neighbor> keepingAway(PodTerm term) {
    return byAntiAffinity.getOrDefault(term, Map.of()).values();
  }

  /** Anti-affinity of placed pods that means a pod, or may mean it. */
  List<PodTerm> antiAffinityTo(Neighbor pod) {
    List<PodTerm> terms = new ArrayList<>();
    addMeaning(terms, List.of(), pod);
    pod.labels().forEach((key, value) -> addMeaning(terms, List.of(key, value), pod));
    return terms;
  }

  private void addMeaning(List<PodTerm> terms, List<String> label, Neighbor pod) {
    for (PodTerm term : antiAffinityByLabel.getOrDefault(label, Set.of())) {
      if (!keepingAway(term).isEmpty() && term.mayMean(pod.namespace(), pod.labels())) {
        terms.add(term);
      }
    }
  }

  /** Those on the node that occupy a port which these conflict with. */
  List<Neighbor> withPortsOf(List<HostPort> ports, String node) {
    List<Neighbor> found = List.of();
    for (HostPort port : ports) {
      for (Neighbor pod :
          byPort.getOrDefault(port.port(), Map.of()).getOrDefault(node, List.of())) {
        if (pod.rules().ports().stream().anyMatch(port::conflictsWith)) {
          found = found.isEmpty() ? new ArrayList<>(1) : found;
          found.add(pod);
        }
      }
    }
    return found;
  }

  /** At least those that a selector means in these namespaces; in any, if there are none. */
  private Stream<Neighbor> candidates(
      Optional<List<LabelRequirement>> selector, Set<String> namespaces) {
    if (selector.isEmpty()) {
      return Stream.of();
    }
    Optional<List<Map<String, Neighbor>>> labeled =
        selector.get().stream().filter(PlacedPods::listsValues).findFirst().map(this::withLabel);
    List<Map<String, Neighbor>> named =
        namespaces.isEmpty()
            ? List.of(byUid)
            : namespaces.stream().map(name -> byNamespace.getOrDefault(name, Map.of())).toList();
    return labeled.filter(pods -> size(pods) < size(named)).orElse(named).stream()
        .flatMap(pods -> pods.values().stream());
  }

  private List<Map<String, Neighbor>> withLabel(LabelRequirement required) {
    Map<String, Map<String, Neighbor>> values =
        byLabel.computeIfAbsent(required.key(), this::allWithLabel);
    return required.values().stream().map(value -> values.getOrDefault(value, Map.of())).toList();
  }

  private Map<String, Map<String, Neighbor>> allWithLabel(String key) {
    Map<String, Map<String, Neighbor>> values = new HashMap<>();
    byUid.values().forEach(pod -> addTo(values, key, pod));
    return values;
  }

  private static void addTo(Map<String, Map<String, Neighbor>> values, String key, Neighbor pod) {
    String value = pod.labels().get(key);
    if (value != null) {
      values.computeIfAbsent(value, _ -> new HashMap<>()).put(pod.uid(), pod);
    }
  }

  private static int size(List<Map<String, Neighbor>> pods) {
    return pods.stream().mapToInt(Map::size).sum();
  }

  private static List<List<String>> labels(PodTerm term) {
    return term.selector().orElse(List.of()).stream()
        .filter(PlacedPods::listsValues)
        .findFirst()
        .map(each -> each.values().stream().map(value -> List.of(each.key(), value)).toList())
        .orElse(List.of(List.of()));
  }

  private static boolean listsValues(LabelRequirement required) {
    return required.operator().equals("In");
  }
}
