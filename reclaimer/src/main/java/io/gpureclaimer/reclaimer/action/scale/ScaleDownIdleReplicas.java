package io.gpureclaimer.reclaimer.action.scale;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.gpureclaimer.reclaimer.action.Action;
import io.gpureclaimer.reclaimer.action.Action.ActionCheck.Refused;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Scales a Deployment down by its idle replicas. Its controller removes pods first that have no
 * node, do not run or are not ready, and then those of the lowest deletion cost. So the idle pods
 * get the lowest cost of all, and a replica that works and is not ready refuses the action.
 */
public record ScaleDownIdleReplicas() implements Action.ChangeOwner {
  public static final String KIND = "Deployment.apps";

  private static final String GENERATION = "/metadata/generation";
  private static final String OBSERVED = "/status/observedGeneration";
  private static final List<String> COUNTS =
      List.of("/status/replicas", "/status/updatedReplicas", "/status/readyReplicas");

  /** The fields that say whether a rollout is in progress. */
  public static final Set<String> ROLLOUT_FIELDS =
      Stream.concat(Stream.of(GENERATION, OBSERVED), COUNTS.stream()).collect(toUnmodifiableSet());

  /** The annotation of a pod by which its controller chooses; the lower goes first. */
  public static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

  private static final String LOWEST = Integer.toString(Integer.MIN_VALUE);

  @Override
  public String name() {
    return ScalableKinds.ACTION.name();
  }

  @Override
  public String participle() {
    return "scaled down by its idle replicas";
  }

  @Override
  public ActionCheck check(Workload workload) {
    return ScalableKinds.ACTION.check(workload) instanceof Refused refused
        ? refused
        : autoscaled(target(workload))
            .or(() -> rollingOut(workload))
            .or(() -> removedFirst(workload))
            .<ActionCheck>map(refused -> refused)
            .orElseGet(() -> new ActionCheck.Possible(this));
  }

  /** It leaves zero replicas alone, and no other number. */
  private static Optional<Refused> autoscaled(OwnerView owner) {
    return owner.details().flatMap(OwnerDetails::autoscalers).stream()
        .flatMap(Collection::stream)
        .findFirst()
        .map(
            autoscaler ->
                new Refused(
                    "autoscaled",
                    autoscaler.object() + " scales it",
                    autoscaler.object()
                        + " scales "
                        + owner.owner()
                        + ", and would start its idle replicas again"));
  }

  private Optional<Refused> rollingOut(Workload workload) {
    OwnerView owner = target(workload);
    Optional<String> replicas = owner.details().flatMap(of -> of.field(ScalableKinds.REPLICAS));
    boolean isObserved =
        owner.details().flatMap(of -> of.field(GENERATION)).isPresent()
            && field(owner, GENERATION).equals(field(owner, OBSERVED));
    boolean isComplete =
        COUNTS.stream().allMatch(count -> field(owner, count).equals(replicas))
            && replicas.equals(Optional.of(Integer.toString(workload.allPods().size())))
            && workload.allPods().stream().map(PodView::owner).distinct().count() == 1;
    return isObserved && isComplete
        ? Optional.empty()
        : Optional.of(
            new Refused(
                "rolling-out",
                "a rollout of it is in progress",
                owner.owner()
                    + " is not rolled out completely, so its controller could remove other pods"
                    + " than the idle replicas"));
  }

  private static Optional<String> field(OwnerView owner, String path) {
    return owner.details().flatMap(of -> of.field(path));
  }

  private static Optional<Refused> removedFirst(Workload workload) {
    return workload.remaining().stream()
        .filter(pod -> !isReady(pod) || LOWEST.equals(pod.annotations().get(DELETION_COST)))
        .findFirst()
        .map(
            pod ->
                new Refused(
                    isReady(pod) ? "deletion-cost-taken" : "replica-not-ready",
                    "pod "
                        + pod.ref().name()
                        + (isReady(pod) ? " has the lowest cost" : " is not ready"),
                    "pod "
                        + pod.ref()
                        + (isReady(pod) ? " has the lowest deletion cost" : " is not ready")
                        + ", so its controller could remove it instead of the idle replicas"));
  }

  private static boolean isReady(PodView pod) {
    return pod.phase() == PodPhase.RUNNING
        && pod.node().isPresent()
        && pod.readyAt().isPresent()
        && !pod.terminating();
  }

  @Override
  public OwnerView target(Workload workload) {
    return ScalableKinds.ACTION.target(workload);
  }

  @Override
  public List<FieldChange> changes(Workload workload, Instant now) {
    OwnerView owner = target(workload);
    int left = workload.remaining().size();
    return Stream.concat(
            workload.pods().stream()
                .filter(pod -> !LOWEST.equals(pod.annotations().get(DELETION_COST)))
                .map(ScaleDownIdleReplicas::lowestCost),
            Stream.of(
                new FieldChange(
                    owner.ref(),
                    FieldChange.SCALE,
                    ScalableKinds.REPLICAS,
                    field(owner, ScalableKinds.REPLICAS),
                    Optional.of(Integer.toString(left)))))
        .toList();
  }

  /** The API server accepts only whole numbers, so a former value needs no escapes. */
  private static FieldChange lowestCost(PodView pod) {
    return new FieldChange(
        ObjectRef.of(pod.ref()),
        FieldChange.annotation(DELETION_COST),
        Optional.ofNullable(pod.annotations().get(DELETION_COST))
            .map(ScaleDownIdleReplicas::quoted),
        Optional.of(quoted(LOWEST)));
  }

  private static String quoted(String number) {
    return "\"" + number + "\"";
  }

  @Override
  public String effect(Workload workload) {
    return "The controller removes "
        + workload.share().orElseThrow()
        + ", with the state of their processes. A restore brings back the former number of"
        + " replicas.";
  }

  @Override
  public Set<String> fields(Workload workload) {
    return Stream.concat(ScalableKinds.ACTION.fields(workload).stream(), ROLLOUT_FIELDS.stream())
        .collect(toUnmodifiableSet());
  }
}
