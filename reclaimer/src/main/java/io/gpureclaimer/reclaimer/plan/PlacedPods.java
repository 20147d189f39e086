package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.PodRules.HostPort;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
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

  private final Map<String, List<Neighbor>> byNamespace = new HashMap<>();

  /** By key and value; only of keys that a selector has named. */
  private final Map<String, Map<String, List<Neighbor>>> byLabel = new HashMap<>();

  /** Pods by their anti-affinity. */
  private final Map<PodTerm, List<Neighbor>> byAntiAffinity = new HashMap<>();

  /** Anti-affinity by a label that it requires; the empty list where it requires none. */
  private final Map<List<String>, Set<PodTerm>> antiAffinityByLabel = new HashMap<>();

  /** By port, then by node. */
  private final Map<Integer, Map<String, List<Neighbor>>> byPort = new HashMap<>();

  /** Those that lists still have; by identity, because a pod may come back on another node. */
  private final Set<Neighbor> removed = Collections.newSetFromMap(new IdentityHashMap<>());

  void add(Neighbor pod) {
    if (byUid.put(pod.uid(), pod) != null) {
      throw new IllegalStateException("a pod is placed on one node, was on two: " + pod.uid());
    }
    if (removed.remove(pod)) {
      return;
    }
    byNamespace.computeIfAbsent(pod.namespace(), _ -> new ArrayList<>()).add(pod);
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
                return new ArrayList<>();
              })
          .add(pod);
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

  /** A pod that was added last, as in a search, leaves the lists as well. */
  void remove(Neighbor pod) {
    byUid.remove(pod.uid());
    List<List<Neighbor>> lists = listsWith(pod);
    if (lists.stream().allMatch(each -> each.getLast().equals(pod))) {
      lists.forEach(List::removeLast);
    } else {
      removed.add(pod);
    }
  }

  private List<List<Neighbor>> listsWith(Neighbor pod) {
    List<List<Neighbor>> lists = new ArrayList<>();
    lists.add(byNamespace.getOrDefault(pod.namespace(), List.of()));
    byLabel.forEach(
        (key, values) -> {
          String value = pod.labels().get(key);
          if (value != null) {
            lists.add(values.getOrDefault(value, List.of()));
          }
        });
    for (PodTerm term : pod.rules().antiAffinity()) {
      lists.add(byAntiAffinity.getOrDefault(term, List.of()));
    }
    for (HostPort port : pod.rules().ports()) {
      lists.add(
          byPort
              .getOrDefault(port.port(), Map.of())
              .getOrDefault(pod.node().orElseThrow(), List.of()));
    }
    return lists;
  }

  private boolean isPlaced(Neighbor pod) {
    return removed.isEmpty() || !removed.contains(pod);
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
  Stream<Neighbor> keepingAway(PodTerm term) {
    return byAntiAffinity.getOrDefault(term, List.of()).stream().filter(this::isPlaced);
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
      if (term.mayMean(pod.namespace(), pod.labels()) && keepingAway(term).findAny().isPresent()) {
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
        if (isPlaced(pod) && pod.rules().ports().stream().anyMatch(port::conflictsWith)) {
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
    Optional<List<Collection<Neighbor>>> labeled =
        selector.get().stream().filter(PlacedPods::listsValues).findFirst().map(this::withLabel);
    List<Collection<Neighbor>> named =
        namespaces.isEmpty()
            ? List.of(byUid.values())
            : namespaces.stream()
                .<Collection<Neighbor>>map(name -> byNamespace.getOrDefault(name, List.of()))
                .toList();
    return labeled.filter(pods -> size(pods) < size(named)).orElse(named).stream()
        .flatMap(Collection::stream)
        .filter(this::isPlaced);
  }

  private List<Collection<Neighbor>> withLabel(LabelRequirement required) {
    Map<String, List<Neighbor>> values =
        byLabel.computeIfAbsent(required.key(), this::allWithLabel);
    return required.values().stream()
        .<Collection<Neighbor>>map(value -> values.getOrDefault(value, List.of()))
        .toList();
  }

  /** Removed pods are added as well: they may come back. */
  private Map<String, List<Neighbor>> allWithLabel(String key) {
    Map<String, List<Neighbor>> values = new HashMap<>();
    byNamespace.values().forEach(pods -> pods.forEach(pod -> addTo(values, key, pod)));
    return values;
  }

  private static void addTo(Map<String, List<Neighbor>> values, String key, Neighbor pod) {
    String value = pod.labels().get(key);
    if (value != null) {
      values.computeIfAbsent(value, _ -> new ArrayList<>()).add(pod);
    }
  }

  private static int size(List<Collection<Neighbor>> pods) {
    return pods.stream().mapToInt(Collection::size).sum();
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
