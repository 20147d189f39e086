package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pod as the simulated API server keeps it. Confined to the cluster's lock. */
final class SimulatedPod {
  /** Who is bound first: the higher priority, then the older. */
  static final Comparator<SimulatedPod> TURN =
      Comparator.<SimulatedPod>comparingInt(pod -> -pod.spec.priority())
          .thenComparingLong(pod -> pod.serial);

  private static final String ANNOTATIONS = FieldChange.annotation("");

  private final PodSpec spec;
  private final PodRef ref;
  private final Optional<Owner> owner;
  private final long serial;
  private Map<String, String> annotations;
  private Optional<SimulatedNode> node = Optional.empty();
  private List<GpuUuid> devices = List.of();
  private Optional<Waiting> waiting = Optional.empty();
  private Optional<Instant> readyAt = Optional.empty();
  private Optional<Instant> deletedAt = Optional.empty();
  private PodView view;

  /**
   * @param serial grows from pod to pod
   */
  SimulatedPod(PodSpec spec, PodRef ref, Optional<Owner> owner, long serial, long version) {
    this.spec = spec;
    this.ref = ref;
    this.owner = owner;
    this.serial = serial;
    this.annotations = spec.annotations();
    this.view = viewOf(version);
  }

  PodSpec spec() {
    return spec;
  }

  PodRef ref() {
    return ref;
  }

  PodView view() {
    return view;
  }

  /** The view, with the facts of the node. */
  PodView placed() {
    return node.flatMap(SimulatedNode::trouble)
        .map(trouble -> view.onNode(view.accelerators(), Optional.of(trouble)))
        .orElse(view);
  }

  Optional<Owner> owner() {
    return owner;
  }

  Optional<SimulatedNode> node() {
    return node;
  }

  List<GpuUuid> devices() {
    return devices;
  }

  Optional<Waiting> waiting() {
    return waiting;
  }

  Optional<Instant> deletedAt() {
    return deletedAt;
  }

  boolean bound() {
    return node.isPresent();
  }

  boolean terminating() {
    return deletedAt.isPresent();
  }

  /** Runs and stays, as a disruption budget counts. */
  boolean healthy() {
    return bound() && !terminating();
  }

  /** It runs and is ready at once. */
  void bind(SimulatedNode to, List<GpuUuid> given, Instant now, long version) {
    node = Optional.of(to);
    readyAt = Optional.of(now);
    devices = List.copyOf(given);
    waiting = Optional.empty();
    view = viewOf(version);
  }

  void waitFor(Waiting reason, long version) {
    waiting = Optional.of(reason);
    view = viewOf(version);
  }

  /** Notes the node that the reclaimer nominates for it; empty for none. */
  void nominate(Optional<String> nodeName, long version) {
    waiting =
        waiting.map(each -> new Waiting(each.since(), each.message(), Optional.empty(), nodeName));
    view = viewOf(version);
  }

  /** Notes the node on which the scheduler expects it. */
  void expect(String nodeName, long version) {
    waiting = waiting.map(each -> new Waiting(each.since(), each.message(), Optional.of(nodeName)));
    view = viewOf(version);
  }

  void annotate(Map<String, String> now, long version) {
    annotations = now;
    view = viewOf(version);
  }

  void terminate(Instant gone, long version) {
    deletedAt = Optional.of(gone);
    view = viewOf(version);
  }

  /**
   * Which pod the ReplicaSet controller removes first: one without a node, then the lowest deletion
   * cost, then the youngest.
   */
  static Comparator<SimulatedPod> removal(boolean byCost) {
    return Comparator.comparing(SimulatedPod::bound)
        .thenComparingInt(pod -> byCost ? pod.deletionCost() : 0)
        .thenComparingLong(pod -> -pod.serial);
  }

  private int deletionCost() {
    return Integer.parseInt(
        annotations.getOrDefault("controller.kubernetes.io/pod-deletion-cost", "0"));
  }

  /** It as any object, with a field for each annotation and the nominated node. */
  OwnerView object() {
    Map<String, String> fields = new HashMap<>();
    waiting
        .flatMap(Waiting::ownNominatedNode)
        .ifPresent(name -> fields.put(FieldChange.NOMINATED_NODE, "\"" + name + "\""));
    annotations.forEach(
        (key, value) -> fields.put(FieldChange.annotation(key), "\"" + value + "\""));
    return new OwnerView(
        new Owner("v1", "Pod", ref.name(), ref.uid()),
        ref.namespace(),
        owner,
        annotations,
        Optional.of(
            new OwnerDetails(
                view.resourceVersion(),
                Optional.empty(),
                Map.of(),
                fields,
                Map.of(),
                Optional.empty())));
  }

  /** The annotations that are written as fields of an object. */
  static Map<String, Optional<String>> annotations(Map<String, Optional<String>> fields) {
    Map<String, Optional<String>> changes = new HashMap<>();
    fields.forEach(
        (path, value) ->
            changes.put(
                path.substring(ANNOTATIONS.length()).replace("~1", "/").replace("~0", "~"),
                value.map(text -> text.substring(1, text.length() - 1))));
    return changes;
  }

  private Accelerators held() {
    return node.filter(on -> NodeView.sharesGpus(on.spec().labels()))
        .map(_ -> spec.accelerators().onSharedGpus())
        .orElse(spec.accelerators());
  }

  private PodView viewOf(long version) {
    return new PodView(
        ref,
        Long.toString(version),
        bound() ? PodPhase.RUNNING : PodPhase.PENDING,
        terminating(),
        node.map(n -> n.view().name()),
        held(),
        owner,
        annotations,
        spec.priority(),
        spec.untouchable(),
        waiting,
        spec.placement(),
        Optional.empty(),
        readyAt,
        Optional.empty(),
        spec.traits(),
        Optional.of(List.of()),
        Optional.of(spec.grace()),
        spec.requests().byName());
  }
}
