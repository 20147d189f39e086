package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodRules.HostPort;
import io.gpureclaimer.reclaimer.cluster.PodRules.PodTerm;
import io.gpureclaimer.reclaimer.cluster.PodRules.Spread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads what a pod requires of other pods. Preferences are left out: the scheduler goes against
 * them when it must.
 */
final class PodRulesParser {
  private static final Set<String> EVERY_ADDRESS = Set.of("", "0.0.0.0");

  private PodRulesParser() {}

  static PodRules of(Pod pod) {
    PodSpec spec = pod.getSpec();
    Optional<Affinity> affinity = Optional.ofNullable(spec.getAffinity());
    List<PodTerm> near =
        affinity
            .map(Affinity::getPodAffinity)
            .map(PodAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
            .orElse(List.of())
            .stream()
            .map(term -> term(term, pod))
            .toList();
    List<PodTerm> apart =
        affinity
            .map(Affinity::getPodAntiAffinity)
            .map(PodAntiAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
            .orElse(List.of())
            .stream()
            .map(term -> term(term, pod))
            .toList();
    List<Spread> spread =
        spec.getTopologySpreadConstraints().stream()
            .filter(each -> "DoNotSchedule".equals(each.getWhenUnsatisfiable()))
            .map(each -> spread(each, pod))
            .toList();
    List<HostPort> ports =
        Stream.concat(
                spec.getContainers().stream(),
                spec.getInitContainers().stream()
                    .filter(each -> "Always".equals(each.getRestartPolicy())))
            .flatMap(PodRulesParser::ports)
            .toList();
    if (near.isEmpty() && apart.isEmpty() && spread.isEmpty() && ports.isEmpty()) {
      return PodRules.NONE;
    }
    return new PodRules(near, apart, spread, ports, unread(near, apart, spread));
  }

  private static Optional<String> unread(
      List<PodTerm> near, List<PodTerm> apart, List<Spread> spread) {
    boolean areKnown =
        Stream.concat(near.stream(), apart.stream()).allMatch(PodTerm::isKnown)
            && spread.stream()
                .flatMap(each -> each.selector().stream())
                .flatMap(List::stream)
                .allMatch(LabelRequirement::isKnown);
    if (!areKnown) {
      return Optional.of("its affinity or topology spread has an operator that is not known");
    }
    return near.stream().anyMatch(PodTerm::excludesNamespaces)
        ? Optional.of("its pod affinity excludes namespaces by their labels")
        : Optional.empty();
  }

  private static PodTerm term(PodAffinityTerm sent, Pod pod) {
    boolean isOwn = sent.getNamespaces().isEmpty() && sent.getNamespaceSelector() == null;
    List<LabelRequirement> more =
        Stream.concat(
                ofLabels(sent.getMatchLabelKeys(), "In", pod),
                ofLabels(sent.getMismatchLabelKeys(), "NotIn", pod))
            .toList();
    return new PodTerm(
        PodRules.and(
            Optional.ofNullable(sent.getLabelSelector()).map(KnownBudget::requirements), more),
        isOwn ? Set.of(pod.getMetadata().getNamespace()) : Set.copyOf(sent.getNamespaces()),
        Optional.ofNullable(sent.getNamespaceSelector()).map(KnownBudget::requirements),
        sent.getTopologyKey());
  }

  private static Spread spread(TopologySpreadConstraint sent, Pod pod) {
    return new Spread(
        sent.getMaxSkew() == null ? 1 : sent.getMaxSkew(),
        sent.getTopologyKey(),
        PodRules.and(
            Optional.ofNullable(sent.getLabelSelector()).map(KnownBudget::requirements),
            ofLabels(sent.getMatchLabelKeys(), "In", pod).toList()),
        Optional.ofNullable(sent.getMinDomains()),
        !"Ignore".equals(sent.getNodeAffinityPolicy()),
        "Honor".equals(sent.getNodeTaintsPolicy()));
  }

  /** The API server adds them to the selector as well, in newer releases. */
  private static Stream<LabelRequirement> ofLabels(List<String> keys, String operator, Pod pod) {
    Map<String, String> labels = MetadataParser.asEmpty(pod.getMetadata().getLabels());
    return keys.stream()
        .filter(labels::containsKey)
        .map(key -> new LabelRequirement(key, operator, Set.of(labels.get(key))));
  }

  private static Stream<HostPort> ports(Container container) {
    return container.getPorts().stream()
        .filter(port -> port.getHostPort() != null && port.getHostPort() > 0)
        .map(PodRulesParser::port);
  }

  private static HostPort port(ContainerPort sent) {
    String address = MetadataParser.asEmpty(sent.getHostIP());
    String protocol = MetadataParser.asEmpty(sent.getProtocol());
    return new HostPort(
        EVERY_ADDRESS.contains(address) ? "" : address,
        protocol.isEmpty() ? "TCP" : protocol,
        sent.getHostPort());
  }
}
