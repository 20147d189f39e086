package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.ClaimReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Pod.
 *
 * <p>What the API server promises to send (namespace, name, UID, resource version) is required;
 * everything else may be missing.
 */
public final class PodParser {
  private final AcceleratorNames names;
  private final ExclusionRules untouchable;
  private final Optional<String> teamLabel;

  /**
   * @param untouchableNamespaces whose pods no policy may touch, in addition to the system's
   * @param teamLabel the label whose value is a pod's team
   */
  public PodParser(
      AcceleratorNames names, Set<String> untouchableNamespaces, Optional<String> teamLabel) {
    this.names = names;
    this.untouchable = new ExclusionRules(untouchableNamespaces);
    this.teamLabel = teamLabel;
  }

  /** Any pod, whatever it requests and whatever its phase. */
  public KnownPod of(Pod pod) {
    Accelerators requested = GpuRequest.of(pod, names);
    return known(pod, requested, ClaimReference.of(pod));
  }

  private KnownPod known(Pod pod, Accelerators requested, List<ClaimReference> claims) {
    PodRules rules = PodRulesParser.of(pod);
    return new KnownPod(
        of(pod, requested, rules), claims, hasExtendedClaim(pod), labels(pod), rules);
  }

  /** Whether claims give it devices that it requests as extended resources. */
  private static boolean hasExtendedClaim(Pod pod) {
    return pod.getStatus() != null && pod.getStatus().getExtendedResourceClaimStatus() != null;
  }

  /** A pod of {@link #ofGpuPod}, or any other one that runs on a node, in brief. */
  public Optional<WatchedPod> watched(Pod pod) {
    return ofGpuPod(pod).<WatchedPod>map(known -> known).or(() -> otherPod(pod));
  }

  private static Optional<WatchedPod> otherPod(Pod pod) {
    boolean isThere =
        !finished(phase(pod.getStatus())) && pod.getMetadata().getDeletionTimestamp() == null;
    return node(pod)
        .filter(_ -> isThere)
        .map(
            name ->
                new OtherPod(
                    new Neighbor(
                        Objects.requireNonNull(pod.getMetadata().getUid(), "metadata.uid"),
                        pod.getMetadata().getNamespace().intern(),
                        labels(pod),
                        Optional.of(name.intern()),
                        PodRulesParser.of(pod)),
                    ResourceRequests.of(pod)));
  }

  /**
   * The pod if it has not finished and requests whole GPUs or MIG instances, has claims, or may own
   * pods that do or be counted with them.
   */
  public Optional<KnownPod> ofGpuPod(Pod pod) {
    if (finished(phase(pod.getStatus()))) {
      return Optional.empty();
    }
    Accelerators requested = GpuRequest.of(pod, names);
    List<ClaimReference> claims = ClaimReference.of(pod);
    return requested.mayBeAny() || !claims.isEmpty() || isLeader(pod) || GroupParser.isCounted(pod)
        ? Optional.of(known(pod, requested, claims))
        : Optional.empty();
  }

  /** A driver of Spark owns its executors, the leader of a LeaderWorkerSet its workers' set. */
  private static boolean isLeader(Pod pod) {
    Map<String, String> labels = labels(pod);
    return "driver".equals(labels.get("spark-role"))
        || "0".equals(labels.get("leaderworkerset.sigs.k8s.io/worker-index"));
  }

  private PodView of(Pod pod, Accelerators accelerators, PodRules rules) {
    ObjectMeta metadata = pod.getMetadata();
    Integer priority = pod.getSpec().getPriority();
    Long gracePeriodSeconds = pod.getSpec().getTerminationGracePeriodSeconds();
    return new PodView(
        ref(metadata),
        Objects.requireNonNull(metadata.getResourceVersion(), "metadata.resourceVersion"),
        phase(pod.getStatus()),
        metadata.getDeletionTimestamp() != null,
        node(pod),
        accelerators,
        MetadataParser.ownerOf(metadata),
        MetadataParser.annotationsOf(metadata),
        priority == null ? 0 : priority,
        untouchable.reason(pod),
        waiting(pod),
        placement(pod.getSpec(), rules),
        startedAt(pod.getStatus()),
        trueSince("Ready", pod.getStatus()),
        startup(pod.getStatus()),
        PodTraitsParser.of(pod, teamLabel),
        Optional.empty(),
        Optional.ofNullable(gracePeriodSeconds).map(Duration::ofSeconds),
        ResourceRequests.of(pod));
  }

  /** Most labels are the same for thousands of pods. */
  static Map<String, String> labels(Pod pod) {
    return MetadataParser.asEmpty(pod.getMetadata().getLabels()).entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                label -> label.getKey().intern(), label -> label.getValue().intern()));
  }

  private static PodRef ref(ObjectMeta metadata) {
    return new PodRef(
        Objects.requireNonNull(metadata.getNamespace(), "metadata.namespace"),
        Objects.requireNonNull(metadata.getName(), "metadata.name"),
        Objects.requireNonNull(metadata.getUid(), "metadata.uid"));
  }

  private static boolean finished(PodPhase phase) {
    return phase == PodPhase.SUCCEEDED || phase == PodPhase.FAILED;
  }

  private static Optional<String> node(Pod pod) {
    return Optional.ofNullable(pod.getSpec().getNodeName()).filter(name -> !name.isEmpty());
  }

  private static PodPhase phase(@Nullable PodStatus status) {
    String phase = status == null ? null : status.getPhase();
    return switch (phase) {
      case "Pending" -> PodPhase.PENDING;
      case "Running" -> PodPhase.RUNNING;
      case "Succeeded" -> PodPhase.SUCCEEDED;
      case "Failed" -> PodPhase.FAILED;
      case null, default -> PodPhase.UNKNOWN;
    };
  }

  private static Optional<Instant> startedAt(@Nullable PodStatus status) {
    return status == null
        ? Optional.empty()
        : status.getContainerStatuses().stream()
            .map(ContainerStatus::getState)
            .filter(state -> state != null && state.getRunning() != null)
            .map(state -> state.getRunning().getStartedAt())
            .filter(Objects::nonNull)
            .map(Instant::parse)
            .max(Comparator.naturalOrder());
  }

  /**
   * Not known if a container was started again, because the pod became ready again afterwards, or
   * if the clocks of its node and of the API server disagree.
   */
  private static Optional<Duration> startup(@Nullable PodStatus status) {
    return trueSince("PodScheduled", status)
        .flatMap(
            scheduled ->
                trueSince("Ready", status).map(ready -> Duration.between(scheduled, ready)))
        .filter(length -> !length.isNegative() && hasNoRestart(status));
  }

  private static boolean hasNoRestart(@Nullable PodStatus status) {
    return status != null
        && !status.getContainerStatuses().isEmpty()
        && status.getContainerStatuses().stream()
            .map(ContainerStatus::getRestartCount)
            .allMatch(count -> count != null && count == 0);
  }

  private static Optional<Instant> trueSince(String type, @Nullable PodStatus status) {
    return status == null
        ? Optional.empty()
        : status.getConditions().stream()
            .filter(condition -> type.equals(condition.getType()))
            .filter(condition -> "True".equals(condition.getStatus()))
            .map(PodCondition::getLastTransitionTime)
            .filter(Objects::nonNull)
            .map(Instant::parse)
            .findFirst();
  }

  /** A pod with a scheduling gate has another reason and does not wait for a GPU. */
  private static Optional<Waiting> waiting(Pod pod) {
    if (pod.getStatus() == null || node(pod).isPresent()) {
      return Optional.empty();
    }
    return pod.getStatus().getConditions().stream()
        .filter(condition -> "PodScheduled".equals(condition.getType()))
        .filter(condition -> "False".equals(condition.getStatus()))
        .filter(condition -> "Unschedulable".equals(condition.getReason()))
        .findFirst()
        .flatMap(condition -> waiting(condition, pod));
  }

  private static Optional<Waiting> waiting(PodCondition condition, Pod pod) {
    String since =
        condition.getLastTransitionTime() == null
            ? pod.getMetadata().getCreationTimestamp()
            : condition.getLastTransitionTime();
    return Optional.ofNullable(since)
        .map(Instant::parse)
        .map(
            instant -> {
              Optional<String> node =
                  Optional.ofNullable(pod.getStatus().getNominatedNodeName())
                      .filter(name -> !name.isEmpty());
              boolean isOwn = node.isPresent() && isNominatedByReclaimer(pod);
              return new Waiting(
                  instant,
                  MetadataParser.asEmpty(condition.getMessage()),
                  node.filter(_ -> !isOwn),
                  node.filter(_ -> isOwn));
            });
  }

  /** Whether the API server attributes the field to this program, and so to no scheduler. */
  private static boolean isNominatedByReclaimer(Pod pod) {
    return pod.getMetadata().getManagedFields().stream()
        .filter(entry -> FieldChange.MANAGER.equals(entry.getManager()))
        .map(ManagedFieldsEntry::getFieldsV1)
        .filter(Objects::nonNull)
        .map(fields -> fields.getAdditionalProperties().get("f:status"))
        .anyMatch(
            status -> status instanceof Map<?, ?> map && map.containsKey("f:nominatedNodeName"));
  }

  private static Placement placement(PodSpec spec, PodRules rules) {
    List<Toleration> tolerations =
        spec.getTolerations().stream().map(PodParser::toleration).toList();
    Optional<List<NodeTerm>> terms = nodeTerms(spec.getAffinity());
    return new Placement(
        MetadataParser.asEmpty(spec.getNodeSelector()),
        tolerations,
        terms,
        rules.unread().isPresent()
            || !terms.stream().flatMap(List::stream).allMatch(PodParser::isKnown));
  }

  private static Toleration toleration(io.fabric8.kubernetes.api.model.Toleration sent) {
    return new Toleration(
        MetadataParser.asEmpty(sent.getKey()),
        "Exists".equals(sent.getOperator()),
        MetadataParser.asEmpty(sent.getValue()),
        MetadataParser.asEmpty(sent.getEffect()));
  }

  private static Optional<List<NodeTerm>> nodeTerms(@Nullable Affinity affinity) {
    return Optional.ofNullable(affinity)
        .map(Affinity::getNodeAffinity)
        .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
        .map(required -> required.getNodeSelectorTerms().stream().map(PodParser::term).toList());
  }

  private static NodeTerm term(NodeSelectorTerm sent) {
    return new NodeTerm(
        sent.getMatchExpressions().stream().map(PodParser::requirement).toList(),
        sent.getMatchFields().stream().map(PodParser::requirement).toList());
  }

  private static LabelRequirement requirement(NodeSelectorRequirement sent) {
    return new LabelRequirement(sent.getKey(), sent.getOperator(), Set.copyOf(sent.getValues()));
  }

  private static boolean isKnown(NodeTerm term) {
    return term.labels().stream().allMatch(LabelRequirement::isKnown)
        && term.fields().stream()
            .allMatch(each -> each.isKnown() && each.key().equals(NodeTerm.NAME));
  }

  /** A pod that is watched. */
  public sealed interface WatchedPod {}

  /**
   * A pod without accelerators, which may keep others off its node.
   *
   * @param requests by resource name, in thousandths
   */
  public record OtherPod(Neighbor neighbor, Map<String, Long> requests) implements WatchedPod {
    public OtherPod {
      requests = Map.copyOf(requests);
    }
  }

  /**
   * A pod, and what links it to other objects.
   *
   * @param view what it says itself
   * @param claims its resource claims, of which {@code view} knows nothing
   * @param hasExtendedClaim whether the scheduler made one of the extended resources that it
   *     requests
   * @param labels all of its labels, by which disruption budgets select it
   * @param rules what it requires of other pods
   */
  public record KnownPod(
      PodView view,
      List<ClaimReference> claims,
      boolean hasExtendedClaim,
      Map<String, String> labels,
      PodRules rules)
      implements WatchedPod {
    public KnownPod {
      claims = List.copyOf(claims);
      labels = Map.copyOf(labels);
    }

    /** The same pod, with the disruption budgets that select it. */
    public KnownPod selectedBy(Optional<List<BudgetView>> budgets) {
      return new KnownPod(view.selectedBy(budgets), claims, hasExtendedClaim, labels, rules);
    }

    /** As its neighbors see it; empty once it terminates. */
    public Optional<Neighbor> neighbor() {
      return view.terminating()
          ? Optional.empty()
          : Optional.of(
              new Neighbor(view.ref().uid(), view.ref().namespace(), labels, view.node(), rules));
    }
  }
}
