package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builder of a pod: by default running on a node, with one GPU and no owner. */
public final class PodDraft {
  private final String name;
  private String namespace = "ml";
  private String uid;
  private final Map<String, String> annotations = new HashMap<>();
  private PodPhase phase = PodPhase.RUNNING;
  private boolean terminating;
  private Optional<String> node = Optional.of("node-1");
  private int gpus = 1;
  private Map<String, Integer> slices = Map.of();
  private Map<String, Integer> replicas = Map.of();
  private Optional<Accelerators> given = Optional.empty();
  private Optional<String> dividedInto = Optional.empty();
  private boolean otherAccelerators;
  private boolean byClaim;
  private Claimed claimed = Claimed.NOTHING;
  private Map<String, Integer> requestedByClaims = Map.of();
  private PodTraits traits = PodTraits.NONE;
  private Optional<Owner> owner = Optional.empty();
  private int priority;
  private Optional<String> untouchable = Optional.empty();
  private Optional<Waiting> waiting = Optional.empty();
  private Placement placement = Placement.ANYWHERE;
  private Map<String, Long> requests = Map.of();
  private Optional<Instant> startedAt = Optional.empty();
  private Optional<Instant> readyAt = Optional.of(JudgeScenario.ago("30d"));
  private Optional<Duration> startup = Optional.empty();

  private PodDraft(String name) {
    this.name = name;
    this.uid = name;
  }

  /** A pod of namespace ml; its UID is its name. */
  public static PodDraft pod(String name) {
    return new PodDraft(name);
  }

  public PodDraft phase(PodPhase value) {
    phase = value;
    return this;
  }

  public PodDraft startedAt(Instant value) {
    startedAt = Optional.of(value);
    return this;
  }

  public PodDraft readyAt(Instant value) {
    readyAt = Optional.of(value);
    return this;
  }

  public PodDraft notReady() {
    readyAt = Optional.empty();
    return this;
  }

  /** From when it got its node until it was ready. */
  public PodDraft startup(Duration value) {
    startup = Optional.of(value);
    return this;
  }

  public PodDraft traits(PodTraits value) {
    traits = value;
    return this;
  }

  public PodDraft terminating() {
    terminating = true;
    return this;
  }

  /** In another namespace than ml. */
  public PodDraft namespace(String value) {
    namespace = value;
    return this;
  }

  /** With another UID than its name. */
  public PodDraft uid(String value) {
    uid = value;
    return this;
  }

  public PodDraft on(String value) {
    node = Optional.of(value);
    return this;
  }

  public PodDraft gpus(int value) {
    gpus = value;
    return this;
  }

  public PodDraft claimed(Claimed value) {
    claimed = value;
    return this;
  }

  /** Claims of devices of a class and nothing else; unread while it has no node. */
  public PodDraft claims(String deviceClass, int count) {
    gpus = 0;
    claimed =
        node.<Claimed>map(_ -> new Claimed.Devices(count))
            .orElseGet(() -> new Claimed.Unread("its claim has no devices yet"));
    requestedByClaims = Map.of(ResourceNames.CLASS_PREFIX + deviceClass, count);
    return this;
  }

  /** With GPUs or instances that the scheduler gave it by a claim. */
  public PodDraft byClaim() {
    byClaim = true;
    return this;
  }

  public PodDraft otherAccelerators() {
    otherAccelerators = true;
    return this;
  }

  public PodDraft owner(String kind, String ownerName) {
    return owner(new Owner("apps/v1", kind, ownerName, "uid-of-" + ownerName));
  }

  public PodDraft owner(Owner value) {
    owner = Optional.of(value);
    return this;
  }

  /** A member of a group that its label names. */
  public PodDraft in(String groupName) {
    traits = new PodTraits(Map.of(), false, List.of(), Optional.of(new Group("group", groupName)));
    return this;
  }

  /** MIG instances instead of whole GPUs. */
  public PodDraft slices(String profile, int count) {
    gpus = 0;
    slices = Map.of(profile, count);
    return this;
  }

  /** A replica of a shared device instead of whole GPUs. */
  public PodDraft replica(String resource) {
    return replicas(resource, 1);
  }

  /** Several of them, of one device or of several. */
  public PodDraft replicas(String resource, int count) {
    gpus = 0;
    replicas = Map.of(resource, count);
    return this;
  }

  /** With its GPUs on a node that offers instances as such. */
  public PodDraft onDividedGpus(String profile) {
    dividedInto = Optional.of(profile);
    return this;
  }

  /** Annotations under our prefix: key, value, key, value. */
  public PodDraft with(String... added) {
    annotations.putAll(JudgeScenario.map(added));
    return this;
  }

  /** Annotations with whole keys. */
  public PodDraft with(Map<String, String> added) {
    annotations.putAll(added);
    return this;
  }

  public PodDraft priority(int value) {
    priority = value;
    return this;
  }

  public PodDraft untouchable(String why) {
    untouchable = Optional.of(why);
    return this;
  }

  public PodDraft placement(Placement value) {
    placement = value;
    return this;
  }

  /** Nowhere yet, and not because of the scheduler. */
  public PodDraft unscheduled() {
    phase = PodPhase.PENDING;
    node = Optional.empty();
    return this;
  }

  /** Waiting for GPUs. */
  public PodDraft waiting(Instant since) {
    return waiting(since, "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.");
  }

  public PodDraft waiting(Instant since, String message) {
    waiting = Optional.of(new Waiting(since, message));
    return unscheduled();
  }

  /** With a node on which the scheduler expects it; it must wait. */
  public PodDraft nominated(String nodeName) {
    waiting =
        waiting.map(known -> new Waiting(known.since(), known.message(), Optional.of(nodeName)));
    return this;
  }

  /** With a node that the reclaimer has nominated for it; it must wait. */
  public PodDraft nominatedByReclaimer(String nodeName) {
    waiting =
        waiting.map(
            known ->
                new Waiting(
                    known.since(), known.message(), Optional.empty(), Optional.of(nodeName)));
    return this;
  }

  /** What its node reserves for it beside accelerators, in thousandths. */
  public PodDraft requests(Map<String, Long> value) {
    requests = value;
    return this;
  }

  /** Exactly these. */
  public PodDraft accelerators(Accelerators value) {
    given = Optional.of(value);
    return this;
  }

  private Accelerators accelerators() {
    return given.orElseGet(this::requested);
  }

  private Accelerators requested() {
    var requested =
        new Accelerators(gpus, slices, claimed, requestedByClaims, replicas, otherAccelerators);
    Accelerators given = byClaim ? requested.and(claimed, requested.byResource()) : requested;
    return dividedInto.map(given::onDividedGpus).orElse(given);
  }

  public PodView draw() {
    return new PodView(
        new PodRef(namespace, name, uid),
        "1",
        phase,
        terminating,
        node,
        accelerators(),
        owner,
        annotations,
        priority,
        untouchable,
        waiting,
        placement,
        startedAt,
        readyAt,
        startup,
        traits,
        Optional.of(List.of()),
        Optional.empty(),
        requests);
  }
}
