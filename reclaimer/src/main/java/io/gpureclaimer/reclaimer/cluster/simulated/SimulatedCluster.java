package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.RecordAccess;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.simulated.ClusterState.NamespacedOwner;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedApi.ApiFaults;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A whole cluster in memory. Time passes only by its clock, and controllers act only in {@link
 * #tick}, so that a run is repeated exactly by the same calls.
 *
 * <p>Its methods are synchronized because it stands for an API server: several programs write to it
 * at once, and each write must see the one before.
 */
public final class SimulatedCluster implements Cluster, RecordAccess {
  private final InstantSource clock;
  private final ClusterState state;
  private final Scheduler scheduler;
  private final OwnerControllers owners;
  private final DisruptionBudgets budgets;
  private final ApiFaults faults = new ApiFaults();
  private final SimulatedApi api;
  private Optional<NodeAutoscaler> autoscaler = Optional.empty();

  public SimulatedCluster(InstantSource clock) {
    this(clock, PodListener.NONE);
  }

  /** A cluster that reports the events of its pods. */
  public SimulatedCluster(InstantSource clock, PodListener listener) {
    this.clock = clock;
    this.state = new ClusterState(listener);
    this.scheduler = new Scheduler(state);
    this.owners = new OwnerControllers(state);
    this.budgets = new DisruptionBudgets(state);
    this.api = new SimulatedApi(state, budgets, owners, faults, this::terminate);
  }

  /** Adds an empty node that accepts pods. */
  public synchronized void addNode(NodeSpec node) {
    if (state.nodes().putIfAbsent(node.name(), new SimulatedNode(node)) != null) {
      throw new IllegalArgumentException("node " + node.name() + " already exists");
    }
    scheduler.nodesChanged();
  }

  /** Lets an autoscaler add and remove nodes from now on. */
  public synchronized void autoscale(AutoscalerSpec spec) {
    autoscaler = Optional.of(new NodeAutoscaler(state, spec));
  }

  /** Adds the nodes of the autoscaler that are ready now, and returns them. */
  public synchronized List<NodeSpec> addReadyNodes() {
    List<SimulatedNode> ready =
        autoscaler.map(each -> each.takeReady(clock.instant())).orElse(List.of());
    ready.forEach(node -> state.nodes().put(node.view().name(), node));
    return changed(ready);
  }

  /**
   * Lets the autoscaler decide, and removes the nodes that it does not need, which are returned.
   *
   * @param isServed whether something else makes room for a pending pod
   */
  public synchronized List<NodeSpec> scale(Predicate<PodSpec> isServed) {
    List<SimulatedNode> idle =
        autoscaler.map(each -> each.step(clock.instant(), isServed)).orElse(List.of());
    idle.forEach(node -> state.nodes().remove(node.view().name()));
    return changed(idle);
  }

  private List<NodeSpec> changed(List<SimulatedNode> nodes) {
    if (!nodes.isEmpty()) {
      scheduler.nodesChanged();
    }
    return nodes.stream().map(SimulatedNode::spec).toList();
  }

  /** When the autoscaler adds or removes a node, as far as it knows; empty for never. */
  public synchronized Optional<Instant> nextScaling() {
    return autoscaler.flatMap(NodeAutoscaler::next);
  }

  /** Cordons a node, or lets it accept pods again. */
  public synchronized void accept(String nodeName, boolean accepting) {
    SimulatedNode node = state.nodes().get(nodeName);
    if (node == null) {
      throw new IllegalArgumentException("node " + nodeName + " does not exist");
    }
    node.accept(accepting);
    scheduler.nodesChanged();
  }

  /** Adds a namespace. */
  public synchronized void addNamespace(String name, Map<String, String> annotations) {
    state.namespaces().put(name, new NamespaceView(name, annotations));
    state.nextVersion();
  }

  /** Writes and removes annotations of a namespace, as its owner would. */
  public synchronized void annotateNamespace(String name, Map<String, Optional<String>> changes) {
    NamespaceView before = state.namespaces().get(name);
    if (before == null) {
      throw new IllegalArgumentException("namespace " + name + " does not exist");
    }
    addNamespace(name, SimulatedApi.changed(before.annotations(), changes));
  }

  /**
   * Adds a PodGroup: pods that name it are bound once so many of them can run, and none before.
   * Those that exist already stay as they are.
   */
  public synchronized void addPodGroup(String namespace, Group group, int minimum) {
    state.addPodGroup(new GroupId(namespace, group), minimum);
  }

  /** Creates a pod, pending until the next tick. */
  public synchronized PodRef submit(PodSpec pod) {
    PodRef created = state.create(pod).ref();
    OwnerControllers.chain(pod)
        .forEach(
            owner -> {
              owners.create(pod.namespace(), owner);
              state.ownerObjects().count(pod.namespace(), owner, state.nextVersion());
            });
    return created;
  }

  /** Nominates a node for a pending pod, as a scheduler that preempts would. */
  public synchronized void nominateAsScheduler(PodRef pod, String nodeName) {
    state.pod(pod).ifPresent(found -> found.expect(nodeName, state.nextVersion()));
  }

  /** Adds or replaces a disruption budget, which is observed at the next tick. */
  public synchronized void addBudget(DisruptionBudget budget) {
    budgets.put(budget);
  }

  /** Removes a disruption budget. */
  public synchronized void removeBudget(String namespace, String name) {
    budgets.remove(namespace, name);
  }

  /** Deletes a pod, as a user would: no budget is asked, and an owner recreates it. */
  public synchronized void delete(PodRef pod) {
    state.pod(pod).ifPresent(this::terminate);
  }

  /** Deletes an owner and its pods; nothing comes back. */
  public synchronized void deleteOwner(String namespace, OwnerSpec owner) {
    owners.delete(namespace, owner);
    state.ownerObjects().delete(namespace, owner);
    state.nextVersion();
    state.podsOf(new NamespacedOwner(namespace, owner)).forEach(this::terminate);
  }

  /** Writes and removes annotations of an owner, as people would. */
  public synchronized void annotateOwner(
      String namespace, OwnerSpec owner, Map<String, Optional<String>> changes) {
    state.ownerObjects().annotate(namespace, owner, changes, Long.toString(state.nextVersion()));
  }

  /** Makes owners of this kind unreadable. */
  public synchronized void hideOwners(OwnerSpec.OwnerType kind) {
    state.ownerObjects().hide(kind);
    state.nextVersion();
  }

  /** Lets terminated pods go, then owners recreate pods, then the scheduler binds what it can. */
  public synchronized void tick() {
    var now = clock.instant();
    for (var gone = state.bury(now); gone.isPresent(); gone = state.bury(now)) {
      owners.podIsGone(gone.get().spec());
    }
    budgets.step();
    owners.step();
    scheduler.step(now);
  }

  /** Lets owners drop a field without an error, as a CRD does that does not know it. */
  public synchronized void dropField(String path) {
    faults.drop(path);
  }

  /** Lets the controllers of owners ignore that these are stopped, or honor it again. */
  public synchronized void ignoreStops(boolean ignored) {
    faults.ignoreStops(ignored);
  }

  /**
   * Adds a ScaledObject of KEDA for an owner, and returns it. KEDA does not run: it scales nothing.
   */
  public synchronized OwnerSpec addScaledObject(String namespace, OwnerSpec target) {
    state.nextVersion();
    return state.ownerObjects().scale(namespace, target);
  }

  /** Lets controllers ignore deletion costs, as with the feature gate PodDeletionCost off. */
  public synchronized void ignoreDeletionCosts() {
    faults.ignoreDeletionCosts();
  }

  /** Removes the CRD of the records of actions. */
  public synchronized void hideRecords() {
    faults.hideRecords();
    state.nextVersion();
  }

  /** Switches the API server off or on; controllers go on. */
  public synchronized void setUnreachable(boolean unreachable) {
    faults.setUnreachable(unreachable);
  }

  /** Lets the API server refuse a verb from now on. */
  public synchronized void refuse(ApiVerb verb, int code, String message) {
    faults.refuse(verb, code, message);
  }

  /** Ends a refusal. */
  public synchronized void allow(ApiVerb verb) {
    faults.allow(verb);
  }

  /** Who holds which GPU, ordered by node, then by the pods' age. */
  public synchronized List<GpuHolder> holders() {
    Map<String, List<GpuHolder>> byNode = new HashMap<>();
    for (SimulatedPod pod : state.pods()) {
      pod.node()
          .map(node -> node.view().name())
          .ifPresent(
              node ->
                  pod.devices()
                      .forEach(
                          device ->
                              byNode
                                  .computeIfAbsent(node, n -> new ArrayList<>())
                                  .add(new GpuHolder(node, device, pod.ref()))));
    }
    return state.nodes().keySet().stream()
        .flatMap(node -> byNode.getOrDefault(node, List.of()).stream())
        .toList();
  }

  /** The Events that were stored, oldest first. */
  public synchronized List<StoredEvent> events() {
    return api.events();
  }

  @Override
  public synchronized ClusterView view() {
    return api.view(autoscaler.map(NodeAutoscaler::notices).orElse(Map.of()));
  }

  @Override
  public synchronized Optional<PodView> lastKnown(PodRef pod) {
    return state.pod(pod).map(SimulatedPod::view);
  }

  @Override
  public synchronized Optional<PodView> fresh(PodRef pod) {
    return api.fresh(pod);
  }

  @Override
  public synchronized Optional<NamespaceView> freshNamespace(String name) {
    return api.freshNamespace(name);
  }

  @Override
  public synchronized ActionResult annotate(PodView pod, Map<String, Optional<String>> changes) {
    return api.annotate(pod, changes);
  }

  @Override
  public synchronized ActionResult evict(PodView pod, boolean dryRun) {
    return api.evict(pod, dryRun);
  }

  @Override
  public synchronized ActionResult change(
      List<FieldChange> changes, String resourceVersion, boolean dryRun) {
    return api.change(changes, resourceVersion, dryRun);
  }

  @Override
  public synchronized Optional<OwnerView> freshObject(ObjectRef object, Set<String> paths) {
    return api.freshObject(object);
  }

  @Override
  public synchronized RecordResult create(Reclamation record) {
    return api.records().create(record);
  }

  @Override
  public synchronized RecordResult update(Reclamation record) {
    return api.records().update(record);
  }

  @Override
  public synchronized ActionResult delete(Reclamation record) {
    return api.records().delete(record);
  }

  @Override
  public synchronized boolean recordEvent(ObjectRef object, Notice notice) {
    return api.recordEvent(object, notice, clock.instant());
  }

  @Override
  public synchronized List<Reclamation> records(Optional<String> namespace) {
    return namespace.map(api.records()::of).orElseGet(api.records()::all);
  }

  @Override
  public synchronized ActionResult requestRestore(Reclamation record, boolean dryRun) {
    return api.records().request(record, dryRun);
  }

  /** Asks for the restoration of an owner in the record of its action, as people would. */
  public synchronized void requestRestore(String namespace, String record) {
    api.records().request(namespace, record);
  }

  /** Deletes the record of an action, as people would; nothing happens if there is none. */
  public synchronized void deleteRecord(String namespace, String record) {
    api.records().delete(namespace, record);
  }

  /** Makes the record of an action unreadable, as people would who edit its status. */
  public synchronized void spoilRecord(String namespace, String record, String why) {
    api.records().spoil(namespace, record, why);
  }

  /** A field of an owner as JSON text; empty if it is absent or the owner is gone. */
  public synchronized Optional<String> ownerField(String namespace, OwnerSpec owner, String path) {
    return state
        .ownerObjects()
        .find(namespace, owner)
        .flatMap(found -> found.view().details())
        .flatMap(details -> details.field(path));
  }

  /** Writes a field of an owner, as people or another controller would. */
  public synchronized void writeOwnerField(
      String namespace, OwnerSpec owner, String path, Optional<String> value) {
    writeOwnerField(namespace, owner, path, value, "others");
  }

  /** Writes a field of an owner under the name of a field manager. */
  public synchronized void writeOwnerField(
      String namespace, OwnerSpec owner, String path, Optional<String> value, String manager) {
    state
        .ownerObjects()
        .find(namespace, owner)
        .ifPresent(found -> api.write(found.view().owner().uid(), Map.of(path, value), manager));
  }

  private void terminate(SimulatedPod pod) {
    if (pod.terminating()) {
      return;
    }
    boolean bound = pod.bound();
    state.terminate(pod, clock.instant());
    owners.podTerminates(pod.spec());
    if (!bound) {
      owners.podIsGone(pod.spec());
    }
  }

  /**
   * Who holds a GPU.
   *
   * @param pod the pod that holds it, maybe terminating
   */
  public record GpuHolder(String node, GpuUuid device, PodRef pod) {}

  /** An Event that was stored. */
  public record StoredEvent(Instant at, ObjectRef object, Notice notice) {

    /** The pod that it is about. */
    public PodRef pod() {
      return new PodRef(object.namespace(), object.name(), object.uid());
    }
  }

  /** What a role may allow or forbid. */
  public enum ApiVerb {
    GET_POD,
    PATCH_POD,
    EVICT_POD,
    PATCH_OWNER,
    WRITE_RECORD,
    CREATE_EVENT
  }

  /**
   * How many of some pods must stay.
   *
   * @param selector labels that all the pods have
   */
  public record DisruptionBudget(
      String namespace, String name, Map<String, String> selector, int minAvailable) {
    public DisruptionBudget {
      selector = Map.copyOf(selector);
    }

    boolean selects(PodSpec pod) {
      return pod.namespace().equals(namespace)
          && pod.labels().entrySet().containsAll(selector.entrySet());
    }
  }

  /**
   * A node to simulate.
   *
   * @param gpus its GPUs, in the order in which they are allocated; a shared one once for each
   *     replica, on a node with a label that says so
   * @param compute CPU and memory that it can allocate; empty if nothing is known of them. Pods are
   *     bound to the best node by kube-scheduler's score if all nodes have them, and otherwise to
   *     the first one by name
   */
  public record NodeSpec(
      String name,
      List<GpuUuid> gpus,
      Map<String, String> labels,
      List<Taint> taints,
      Optional<ComputeResources> compute) {

    /** A node of whose CPU and memory nothing is known. */
    public NodeSpec(
        String name, List<GpuUuid> gpus, Map<String, String> labels, List<Taint> taints) {
      this(name, gpus, labels, taints, Optional.empty());
    }

    public NodeSpec {
      gpus = List.copyOf(gpus);
      labels = Map.copyOf(labels);
      taints = List.copyOf(taints);
    }

    /** A node without labels and taints. */
    public static NodeSpec of(String name, List<GpuUuid> gpus) {
      return new NodeSpec(name, gpus, Map.of(), List.of());
    }
  }
}
