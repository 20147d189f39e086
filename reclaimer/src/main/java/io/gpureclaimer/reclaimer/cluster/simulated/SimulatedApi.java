package io.gpureclaimer.reclaimer.cluster.simulated;

import static io.gpureclaimer.reclaimer.cluster.simulated.OwnerObjects.REPLICAS;

import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.BudgetView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupId;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.GroupSize.Minimum;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.simulated.ClusterState.NamespacedOwner;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Answers as the API server does, preconditions included. Confined to the cluster's lock. */
final class SimulatedApi {
  private final ClusterState state;
  private final DisruptionBudgets budgets;
  private final OwnerControllers owners;
  private final SimulatedRecords records;
  private final ApiFaults faults;
  private final Consumer<SimulatedPod> terminate;
  private final List<StoredEvent> events = new ArrayList<>();

  /** The last look, which is the next one as well while nothing changes. */
  private Optional<ClusterView> last = Optional.empty();

  /** The version of the last look; budgets change without one. */
  private long lastVersion;

  SimulatedApi(
      ClusterState state,
      DisruptionBudgets budgets,
      OwnerControllers owners,
      ApiFaults faults,
      Consumer<SimulatedPod> terminate) {
    this.state = state;
    this.budgets = budgets;
    this.owners = owners;
    this.records = new SimulatedRecords(state, faults);
    this.faults = faults;
    this.terminate = terminate;
  }

  List<StoredEvent> events() {
    return List.copyOf(events);
  }

  /**
   * The cluster as a whole.
   *
   * @param notices of an autoscaler; a change of them changes the version
   */
  ClusterView view(Map<PodRef, List<ProvisioningNotice>> notices) {
    faults.checkReachable("look");
    if (last.isEmpty() || lastVersion != state.version() || !budgets.isEmpty()) {
      last = Optional.of(built(notices));
      lastVersion = state.version();
    }
    return last.get();
  }

  private ClusterView built(Map<PodRef, List<ProvisioningNotice>> notices) {
    List<PodView> pods = new ArrayList<>(state.pods().size());
    for (SimulatedPod pod : state.pods()) {
      if (pod.view().accelerators().devices() > 0) {
        pods.add(placed(pod));
      }
    }
    return new ClusterView(
        pods,
        state.namespaces(),
        state.nodes().values().stream()
            .map(SimulatedNode::view)
            .filter(node -> !node.devices().isEmpty())
            .toList(),
        state.ownerObjects().readable(),
        faults.areRecordsServed() ? Optional.of(records.known()) : Optional.empty(),
        new SchedulingFacts(notices, Optional.empty(), groupSizes()));
  }

  private Map<GroupId, GroupSize> groupSizes() {
    Map<GroupId, GroupSize> sizes = new HashMap<>();
    for (GroupId group : state.pendingGroups().keySet()) {
      List<PodView> pods =
          state.membersOf(group).stream()
              .filter(pod -> !pod.terminating())
              .map(SimulatedPod::view)
              .toList();
      sizes.put(group, GroupSize.of(new Minimum.Known(state.minimumOf(group)), pods));
    }
    return sizes;
  }

  SimulatedRecords records() {
    return records;
  }

  ActionResult change(List<FieldChange> changes, String resourceVersion, boolean dryRun) {
    ObjectRef object = changes.getFirst().object();
    faults.checkReachable("patch " + object);
    var refusal = faults.refusalOf(isPod(object) ? ApiVerb.PATCH_POD : ApiVerb.PATCH_OWNER);
    if (refusal.isPresent()) {
      return ActionResult.refused(refusal.get().code(), refusal.get().message());
    }
    Optional<OwnerView> found = freshObject(object);
    if (found.isEmpty()) {
      return ActionResult.gone(object);
    }
    if (!found.get().details().orElseThrow().resourceVersion().equals(resourceVersion)) {
      return ActionResult.changed(object, "the object has been modified");
    }
    if (dryRun) {
      return new ActionResult.DryRun();
    }
    Optional<FieldChange> unknown =
        changes.stream().filter(change -> faults.isDropped(change.path())).findFirst();
    if (unknown.isPresent()) {
      return new ActionResult.Failed(
          "the API server accepted " + unknown.get().field() + " and did not store it");
    }
    Map<String, Optional<String>> fields = new HashMap<>();
    changes.forEach(change -> fields.put(change.path(), change.written()));
    Optional<String> nominated = fields.get(FieldChange.NOMINATED_NODE);
    if (isPod(object) && nominated != null) {
      state.nominate(state.pod(podOf(object)).orElseThrow(), nominated.map(SimulatedApi::text));
    } else if (isPod(object)) {
      write(state.pod(podOf(object)).orElseThrow(), SimulatedPod.annotations(fields));
    } else {
      write(object.uid(), fields, FieldChange.MANAGER);
    }
    return new ActionResult.Done();
  }

  private static String text(String json) {
    return json.substring(1, json.length() - 1);
  }

  private static boolean isPod(ObjectRef object) {
    return object.kind().equals("Pod");
  }

  private static PodRef podOf(ObjectRef object) {
    return new PodRef(object.namespace(), object.name(), object.uid());
  }

  Optional<OwnerView> freshObject(ObjectRef object) {
    faults.checkReachable("get " + object);
    return isPod(object)
        ? state.pod(podOf(object)).map(SimulatedPod::object)
        : state.ownerObjects().byUid(object.uid()).map(OwnerObjects.StoredOwner::view);
  }

  /** Writes fields of an owner; its pods go when it stops, and come back when it runs again. */
  void write(String uid, Map<String, Optional<String>> fields, String manager) {
    boolean ran = state.ownerObjects().byUid(uid).orElseThrow().runs();
    var owner =
        state.ownerObjects().change(uid, fields, Long.toString(state.nextVersion()), manager);
    if (ran && !owner.runs() && !faults.areStopsIgnored()) {
      List<SimulatedPod> pods = podsOf(owner);
      owners.stopped(uid, owner.spec(), pods.stream().map(SimulatedPod::spec).toList());
      pods.forEach(terminate);
    } else if (!ran && owner.runs()) {
      owners.resumed(uid, owner.replicas());
    } else if (owner.kind() == OwnerSpec.OwnerType.DEPLOYMENT
        && fields.containsKey(REPLICAS)
        && !faults.areStopsIgnored()) {
      scale(uid, owner);
    }
  }

  private List<SimulatedPod> podsOf(OwnerObjects.StoredOwner owner) {
    return state.podsOf(new NamespacedOwner(owner.view().namespace(), owner.spec()));
  }

  /** Removes pods in the order of the ReplicaSet controller, or lets some of them come back. */
  private void scale(String uid, OwnerObjects.StoredOwner owner) {
    List<SimulatedPod> pods =
        podsOf(owner).stream()
            .filter(pod -> !pod.terminating())
            .sorted(SimulatedPod.removal(faults.areDeletionCostsHonored()))
            .toList();
    int surplus = pods.size() + owners.missingOf(owner.spec()) - owner.replicas();
    List<SimulatedPod> removed = pods.subList(0, Math.clamp(surplus, 0, pods.size()));
    owners.scaledDown(uid, removed.stream().map(SimulatedPod::spec).toList());
    removed.forEach(terminate);
    owners.resumed(uid, -surplus);
  }

  Optional<PodView> fresh(PodRef pod) {
    faults.checkReachable("get pod " + pod);
    faults
        .refusalOf(ApiVerb.GET_POD)
        .ifPresent(
            refusal -> {
              throw new ClusterUnreachable("get pod " + pod, refusal.toString());
            });
    return state.pod(pod).map(this::placed);
  }

  Optional<NamespaceView> freshNamespace(String name) {
    faults.checkReachable("get namespace " + name);
    return Optional.ofNullable(state.namespaces().get(name));
  }

  private PodView placed(SimulatedPod pod) {
    List<BudgetView> selecting = budgets.of(pod);
    return selecting.isEmpty() ? pod.placed() : pod.placed().selectedBy(Optional.of(selecting));
  }

  ActionResult annotate(PodView pod, Map<String, Optional<String>> changes) {
    faults.checkReachable("patch pod " + pod.ref());
    var refusal = faults.refusalOf(ApiVerb.PATCH_POD);
    if (refusal.isPresent()) {
      return ActionResult.refused(refusal.get().code(), refusal.get().message());
    }
    Optional<SimulatedPod> found = state.pod(pod.ref());
    if (found.isEmpty()) {
      return ActionResult.podGone();
    }
    if (!found.get().view().resourceVersion().equals(pod.resourceVersion())) {
      return ActionResult.podChanged();
    }
    write(found.get(), changes);
    return new ActionResult.Done();
  }

  ActionResult evict(PodView pod, boolean dryRun) {
    faults.checkReachable("evict pod " + pod.ref());
    var refusal = faults.refusalOf(ApiVerb.EVICT_POD);
    if (refusal.isPresent()) {
      return ActionResult.refused(refusal.get().code(), refusal.get().message());
    }
    Optional<SimulatedPod> found = state.pod(pod.ref().namespace(), pod.ref().name());
    if (found.isEmpty()) {
      return ActionResult.podGone();
    }
    // The budget before the preconditions, as the real API has it.
    Optional<ActionResult> objection =
        budgets.objection(found.get()).or(() -> staleness(found.get(), pod));
    if (objection.isPresent()) {
      return objection.get();
    }
    if (!dryRun) {
      terminate.accept(found.get());
    }
    return dryRun ? new ActionResult.DryRun() : new ActionResult.Done();
  }

  boolean recordEvent(ObjectRef object, Notice notice, Instant at) {
    faults.checkReachable("create event on " + object);
    if (faults.refusalOf(ApiVerb.CREATE_EVENT).isPresent()
        || !state.namespaces().containsKey(object.namespace())) {
      return false;
    }
    events.add(new StoredEvent(at, object, notice));
    return true;
  }

  /** A patch that changes nothing makes no new version. */
  private void write(SimulatedPod pod, Map<String, Optional<String>> changes) {
    Map<String, String> before = pod.view().annotations();
    Map<String, String> after = changed(before, changes);
    if (!after.equals(before)) {
      pod.annotate(after, state.nextVersion());
    }
  }

  static Map<String, String> changed(
      Map<String, String> before, Map<String, Optional<String>> changes) {
    Map<String, String> after = new HashMap<>(before);
    changes.forEach(
        (key, value) ->
            value.ifPresentOrElse(text -> after.put(key, text), () -> after.remove(key)));
    return after;
  }

  /** What the caller saw against what is. */
  private static Optional<ActionResult> staleness(SimulatedPod pod, PodView seen) {
    if (!pod.ref().uid().equals(seen.ref().uid())) {
      return Optional.of(changed("UID", seen.ref().uid(), pod.ref().uid()));
    }
    if (!pod.view().resourceVersion().equals(seen.resourceVersion())) {
      return Optional.of(
          changed("ResourceVersion", seen.resourceVersion(), pod.view().resourceVersion()));
    }
    return Optional.empty();
  }

  private static ActionResult changed(String field, String expected, String found) {
    return ActionResult.podChanged(
        "Precondition failed: "
            + field
            + " in precondition: "
            + expected
            + ", "
            + field
            + " in object meta: "
            + found);
  }

  /** What is wrong with the simulated API server. Confined to the cluster's lock. */
  static final class ApiFaults {
    private final Map<ApiVerb, InjectedFailure> refusals = new EnumMap<>(ApiVerb.class);
    private final Set<String> dropped = new HashSet<>();
    private boolean withoutRecords;
    private boolean ignoringStops;
    private boolean unreachable;
    private boolean ignoringDeletionCosts;

    /** A refusal for a reason that lies not in the pod. */
    record InjectedFailure(int code, String message) {}

    void setUnreachable(boolean value) {
      unreachable = value;
    }

    void ignoreDeletionCosts() {
      ignoringDeletionCosts = true;
    }

    boolean areDeletionCostsHonored() {
      return !ignoringDeletionCosts;
    }

    /** Owners do not know this field, which is dropped without an error. */
    void drop(String path) {
      dropped.add(path);
    }

    boolean isDropped(String path) {
      return dropped.contains(path);
    }

    void ignoreStops(boolean ignored) {
      ignoringStops = ignored;
    }

    boolean areStopsIgnored() {
      return ignoringStops;
    }

    /** The CRD of the records is not installed. */
    void hideRecords() {
      withoutRecords = true;
    }

    boolean areRecordsServed() {
      return !withoutRecords;
    }

    void refuse(ApiVerb verb, int code, String message) {
      refusals.put(verb, new InjectedFailure(code, message));
    }

    void allow(ApiVerb verb) {
      refusals.remove(verb);
    }

    void checkReachable(String operation) {
      if (unreachable) {
        throw new ClusterUnreachable(operation, "the simulated API server is switched off");
      }
    }

    Optional<InjectedFailure> refusalOf(ApiVerb verb) {
      return Optional.ofNullable(refusals.get(verb));
    }
  }
}
