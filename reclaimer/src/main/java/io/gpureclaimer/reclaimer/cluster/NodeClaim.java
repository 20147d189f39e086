package io.gpureclaimer.reclaimer.cluster;

import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A NodeClaim of Karpenter whose node is not ready yet.
 *
 * @param created when Karpenter created it, for a batch of pending pods
 * @param node what is known of the node: the devices that the batch requests, the labels that are
 *     certain, and the taints that remain; with the name of the NodeClaim until it has its own
 * @param requirements on labels, also on those that the node does not have yet
 */
public record NodeClaim(Instant created, NodeView node, List<LabelRequirement> requirements) {
  /** The clocks of scheduler and API server differ, and Karpenter collects a batch for 10 s. */
  private static final Duration EARLIEST_BEFORE_POD = Duration.ofMinutes(1);

  /** Older names of labels, which Karpenter translates. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "beta.kubernetes.io/arch", "kubernetes.io/arch",
          "beta.kubernetes.io/os", "kubernetes.io/os",
          "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type",
          "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");

  public NodeClaim {
    requirements = List.copyOf(requirements);
  }

  /** What it announces for a pod. */
  public ProvisioningNotice notice() {
    return new ProvisioningNotice(ProvisioningNotice.KARPENTER, true, created, created);
  }

  /** Whether Karpenter may have created it for a pending pod, apart from the number of devices. */
  boolean suits(PodView pod) {
    return pod.waiting().filter(this::isRecentFor).isPresent()
        && node.isTolerated(pod.placement())
        && allows(pod.placement());
  }

  private boolean isRecentFor(Waiting waiting) {
    return !created.isBefore(waiting.since().minus(EARLIEST_BEFORE_POD));
  }

  private boolean allows(Placement placement) {
    return placement.nodeSelector().entrySet().stream()
            .map(label -> new LabelRequirement(label.getKey(), "In", Set.of(label.getValue())))
            .allMatch(this::mayMeet)
        && placement.nodeTerms().map(terms -> terms.stream().anyMatch(this::mayMeet)).orElse(true);
  }

  /** No pod can name a node that does not exist yet. */
  private boolean mayMeet(NodeTerm term) {
    return !(term.labels().isEmpty() && term.fields().isEmpty())
        && term.labels().stream().allMatch(this::mayMeet)
        && term.fields().stream().allMatch(each -> each.isMet(Map.of()));
  }

  /**
   * Karpenter adds the requirements of the pods to those of the NodeClaim. So a label of which it
   * says nothing is one that none of these pods requires.
   */
  private boolean mayMeet(LabelRequirement written) {
    String key = RENAMED.getOrDefault(written.key(), written.key());
    var asked = new LabelRequirement(key, written.operator(), written.values());
    if (node.labels().containsKey(key)) {
      return asked.isMet(node.labels());
    }
    List<LabelRequirement> own =
        requirements.stream().filter(each -> each.key().equals(key)).toList();
    return own.isEmpty()
        ? asked.isMet(Map.of())
        : areCompatible(Stream.concat(own.stream(), Stream.of(asked)).toList(), key);
  }

  /** Whether some value of a label meets all of its requirements, or its absence does. */
  private static boolean areCompatible(List<LabelRequirement> all, String key) {
    Optional<LabelRequirement> listed =
        all.stream().filter(each -> each.operator().equals("In")).findFirst();
    if (listed.isPresent()) {
      return listed.get().values().stream()
          .map(value -> Map.of(key, value))
          .anyMatch(label -> all.stream().allMatch(each -> each.isMet(label)));
    }
    return all.stream().noneMatch(each -> each.operator().equals("DoesNotExist"))
        || all.stream().allMatch(each -> each.isMet(Map.of()));
  }
}
