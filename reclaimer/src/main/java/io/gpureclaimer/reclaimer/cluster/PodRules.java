package io.gpureclaimer.reclaimer.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a pod requires of the pods around it, as its specification says.
 *
 * @param affinity of each, a pod must be near
 * @param antiAffinity of each, no pod may be near
 * @param spread how evenly it must be spread
 * @param ports of its node that it occupies
 * @param unread why not all of it is understood; empty if it is
 */
public record PodRules(
    List<PodTerm> affinity,
    List<PodTerm> antiAffinity,
    List<Spread> spread,
    List<HostPort> ports,
    Optional<String> unread) {

  /** It may run beside any pods. */
  public static final PodRules NONE =
      new PodRules(List.of(), List.of(), List.of(), List.of(), Optional.empty());

  public PodRules {
    affinity = List.copyOf(affinity);
    antiAffinity = List.copyOf(antiAffinity);
    spread = List.copyOf(spread);
    ports = List.copyOf(ports);
  }

  /** Whether it requires nothing of other pods. */
  public boolean isEmpty() {
    return equals(NONE);
  }

  /** Whether a term selects namespaces by their labels. */
  boolean selectsNamespaces() {
    return affinity.stream().anyMatch(PodTerm::selectsNamespaces)
        || antiAffinity.stream().anyMatch(PodTerm::selectsNamespaces);
  }

  /**
   * The same with the names of namespaces in all terms.
   *
   * @param namesOf the namespaces whose labels meet all requirements
   */
  PodRules resolve(Function<List<LabelRequirement>, Set<String>> namesOf) {
    return resolve(antiAffinity, namesOf);
  }

  /**
   * The same of a pending pod. In some releases of kube-scheduler, such as 1.36.2, {@code NotIn}
   * and {@code DoesNotExist} in its terms mean all namespaces; so they do here in anti-affinity.
   */
  PodRules resolvePending(Function<List<LabelRequirement>, Set<String>> namesOf) {
    return resolve(antiAffinity.stream().map(PodTerm::ofAllNamespaces).toList(), namesOf);
  }

  private PodRules resolve(
      List<PodTerm> against, Function<List<LabelRequirement>, Set<String>> namesOf) {
    return new PodRules(
        affinity.stream().map(term -> term.resolve(namesOf)).toList(),
        against.stream().map(term -> term.resolve(namesOf)).toList(),
        spread,
        ports,
        unread);
  }

  /**
   * Pods in the same part of the cluster.
   *
   * @param selector requirements on their labels; no pod is meant without a selector
   * @param namespaces whose pods are meant
   * @param namespaceSelector requirements on labels of namespaces whose pods are meant in addition;
   *     an empty list means all namespaces. Until {@link NamespaceSelection} resolves them, any
   *     namespace may be meant
   * @param topologyKey the label of nodes whose value is the same in one part
   */
  public record PodTerm(
      Optional<List<LabelRequirement>> selector,
      Set<String> namespaces,
      Optional<List<LabelRequirement>> namespaceSelector,
      String topologyKey) {
    public PodTerm {
      selector = selector.map(List::copyOf);
      namespaces = Set.copyOf(namespaces);
      namespaceSelector = namespaceSelector.map(List::copyOf);
    }

    /** Whether all operators are known. */
    public boolean isKnown() {
      return Stream.of(selector, namespaceSelector)
          .flatMap(Optional::stream)
          .flatMap(List::stream)
          .allMatch(LabelRequirement::isKnown);
    }

    private boolean selectsNamespaces() {
      return namespaceSelector.filter(all -> !all.isEmpty()).isPresent();
    }

    /**
     * Whether a namespace without labels is meant by a selector that is not empty. Releases of
     * kube-scheduler differ on the other namespaces.
     */
    public boolean excludesNamespaces() {
      return selectsNamespaces()
          && namespaceSelector.filter(all -> areMet(all, Map.of())).isPresent();
    }

    private PodTerm ofAllNamespaces() {
      return excludesNamespaces()
          ? new PodTerm(selector, namespaces, Optional.of(List.of()), topologyKey)
          : this;
    }

    private PodTerm resolve(Function<List<LabelRequirement>, Set<String>> namesOf) {
      if (!selectsNamespaces()) {
        return this;
      }
      Set<String> names = new HashSet<>(namespaces);
      namespaceSelector.map(namesOf).ifPresent(names::addAll);
      return new PodTerm(selector, names, Optional.empty(), topologyKey);
    }

    /** Whether a pod is meant, or may be. */
    public boolean mayMean(String namespace, Map<String, String> labels) {
      return selector.isPresent()
          && areMet(selector.get(), labels)
          && (namespaces.contains(namespace) || namespaceSelector.isPresent());
    }
  }

  /**
   * Topology spread that a node must not violate.
   *
   * @param selector of the pods that count, in the namespace of the pod; none without a selector
   * @param minDomains with fewer parts, a part without such pods is assumed
   * @param honorsAffinity whether only nodes count that the selector and node affinity allow
   * @param honorsTaints whether only nodes count whose taints are tolerated
   */
  public record Spread(
      int maxSkew,
      String topologyKey,
      Optional<List<LabelRequirement>> selector,
      Optional<Integer> minDomains,
      boolean honorsAffinity,
      boolean honorsTaints) {
    public Spread {
      selector = selector.map(List::copyOf);
    }

    /** Whether pods with these labels count. */
    public boolean counts(Map<String, String> labels) {
      return selector.isPresent() && areMet(selector.get(), labels);
    }
  }

  /** A port of the node; an empty address is all addresses. */
  public record HostPort(String address, String protocol, int port) {

    /** Whether only one of two pods with these ports can run on a node. */
    public boolean conflictsWith(HostPort other) {
      return port == other.port
          && protocol.equals(other.protocol)
          && (address.isEmpty() || other.address.isEmpty() || address.equals(other.address));
    }
  }

  /** The selector with the requirements that more labels of the pod bring. */
  public static Optional<List<LabelRequirement>> and(
      Optional<List<LabelRequirement>> selector, List<LabelRequirement> more) {
    return selector.map(
        all -> {
          var both = new ArrayList<>(all);
          both.addAll(more);
          return List.copyOf(both);
        });
  }

  static boolean areMet(List<LabelRequirement> all, Map<String, String> labels) {
    for (LabelRequirement each : all) {
      if (!each.isMet(labels)) {
        return false;
      }
    }
    return true;
  }
}
