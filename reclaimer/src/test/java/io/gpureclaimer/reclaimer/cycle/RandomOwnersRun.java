package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.FieldChange;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.Autoscaler;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster with an owner of each kind in which everything goes on at random, in the same way for
 * the same seed: people edit, delete and exclude, the API server refuses, requests time out, and
 * the leader is killed around any of its calls.
 */
final class RandomOwnersRun {
  private static final String PAUSE = FieldChange.annotation(Autoscaler.PAUSED_REPLICAS);
  private static final int CYCLES = 120;
  private static final int CYCLES_AFTERWARDS = 12;
  private static final List<Integer> CODES = List.of(403, 404, 409, 422, 429, 500);
  private static final List<ApiVerb> VERBS =
      List.of(
          ApiVerb.PATCH_OWNER,
          ApiVerb.WRITE_RECORD,
          ApiVerb.CREATE_EVENT,
          ApiVerb.PATCH_POD,
          ApiVerb.GET_POD);

  private static final List<Optional<String>> REPLICAS =
      IntStream.rangeClosed(1, 5).mapToObj(count -> Optional.of(Integer.toString(count))).toList();
  private static final List<Optional<String>> ABSENT_OR_FALSE =
      List.of(Optional.empty(), Optional.of("false"));

  private final RandomChoices random;
  private final SmallCluster world = SmallCluster.in("always");
  private final ReplicaPair replicas;
  private final Map<String, Set<InMemoryReplica>> seenBy = new HashMap<>();
  private final List<KnownOwner> owners = new ArrayList<>();
  private final List<OwnerSpec> scalers = new ArrayList<>();
  private final List<String> history = new ArrayList<>();
  private final EventTally tally = new EventTally();
  private String lastNoted = "";
  private boolean recovered;
  private int names;

  RandomOwnersRun(long seed) {
    this.random = new RandomChoices(seed);
    for (int node = 2; node <= 3; node++) {
      int first = node * 8;
      world.cluster.addNode(
          NodeSpec.of(
              "node-" + node,
              IntStream.range(first, first + 8).mapToObj(i -> new GpuUuid("GPU-" + i)).toList()));
    }
    replicas = new ReplicaPair(world, _ -> {});
    addScaled(OwnerType.DEPLOYMENT);
    addScaled(OwnerType.STATEFUL_SET);
    addScaled(OwnerType.ROLLOUT);
    add(OwnerType.DEPLOYMENT, REPLICAS);
    add(OwnerType.LEADER_WORKER_SET, REPLICAS);
    add(OwnerType.JOB, ABSENT_OR_FALSE);
    add(OwnerType.JOB_SET, ABSENT_OR_FALSE);
    add(OwnerType.TRAIN_JOB, ABSENT_OR_FALSE);
    add(OwnerType.PYTORCH_JOB, ABSENT_OR_FALSE);
    add(OwnerType.SPARK_APPLICATION, ABSENT_OR_FALSE);
    add(OwnerType.RAY_CLUSTER, ABSENT_OR_FALSE);
    add(OwnerType.WORKSPACE, ABSENT_OR_FALSE);
    add(OwnerType.DEV_WORKSPACE, List.of(Optional.of("true"), Optional.empty()));
    add(OwnerType.NOTEBOOK, List.of(Optional.empty(), Optional.of("\"locked by people\"")));
    add(OwnerType.INFERENCE_SERVICE, List.of(Optional.empty(), Optional.of("\"false\"")));
  }

  private void add(OwnerType kind, List<Optional<String>> choices) {
    owners.add(new KnownOwner(new OwnerSpec(kind, name(kind) + "-0"), choices));
  }

  /** Adds an owner that is stopped by two writes: its autoscaler is paused before. */
  private void addScaled(OwnerType kind) {
    var spec = new OwnerSpec(kind, "scaled-" + name(kind));
    owners.add(new KnownOwner(spec, REPLICAS));
    scalers.add(world.cluster.addScaledObject(SmallCluster.NAMESPACE, spec));
  }

  private static String name(OwnerType kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns what happened. */
  EventTally live() {
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      happen();
      step();
    }
    recover();
    for (int cycle = 0; cycle < CYCLES_AFTERWARDS; cycle++) {
      records()
          .forEach(record -> world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name()));
      step();
    }
    for (KnownOwner owner : owners) {
      assertThat(owner.value())
          .as("%s at the end of %s", owner.spec, history)
          .isEqualTo(owner.wanted);
      assertThat(owner.others())
          .as("fields of %s that no action writes", owner.spec)
          .isEqualTo(owner.otherFields);
    }
    assertThat(scalers)
        .as("autoscalers that are not paused at the end of %s", history)
        .allMatch(each -> world.cluster.ownerField(SmallCluster.NAMESPACE, each, PAUSE).isEmpty());
    assertThat(records())
        .as("records at the end of %s", history)
        .allMatch(record -> record.status().filter(each -> each.state().isFinal()).isPresent());
    tally.count("runs");
    world.cluster.events().stream()
        .map(event -> event.notice().reason())
        .filter(reason -> !reason.startsWith("GPUIdle"))
        .forEach(tally::count);
    return tally;
  }

  private void step() {
    world.pass(Duration.ofSeconds(40 + random.below(120)));
    for (InMemoryReplica replica : replicas.all()) {
      run(replica);
      check();
    }
  }

  private void run(InMemoryReplica replica) {
    if (random.chance(25)) {
      interruptAfter(random.below(20), replica);
    } else if (random.chance(15)) {
      replica.wire().after(ApiInterceptor.InterceptedCall.CHANGE, this::endAmongWrites);
    }
    List<String> seen = records().stream().map(Reclamation::uid).toList();
    try {
      var _ = replica.run();
      seen.forEach(uid -> seenBy.computeIfAbsent(uid, _ -> new HashSet<>()).add(replica));
    } catch (ClusterUnreachable _) {
      tally.count("cycles abandoned");
    } catch (ReplicaKilled _) {
      tally.count("kills");
      replicas.end(replica);
    }
  }

  private void interruptAfter(int calls, InMemoryReplica replica) {
    if (calls > 0) {
      replica.wire().afterAnything(() -> interruptAfter(calls - 1, replica));
    } else if (random.chance(50)) {
      replica.wire().beforeAnything(this::interrupt);
    } else {
      replica.wire().afterAnything(this::interrupt);
    }
  }

  private void interrupt() {
    if (recovered) {
      return;
    }
    switch (random.below(8)) {
      case 0 -> editOwner();
      case 1 -> changeLeader();
      case 2 -> requestRestore();
      case 3 -> refuse(random.any(VERBS));
      case 4 -> recreateOwner();
      case 5 -> {
        tally.count("timeouts");
        throw new ClusterUnreachable("any call", "the wire is cut");
      }
      default -> {
        if (!isForgettable()) {
          note("kill");
          throw new ReplicaKilled();
        }
      }
    }
  }

  /** The process ends between two writes of an action, and often the reason for it is gone. */
  private void endAmongWrites() {
    if (recovered || isForgettable()) {
      return;
    }
    if (random.chance(70)) {
      pods().forEach(world.agents::work);
    }
    note("kill after a write");
    throw new ReplicaKilled();
  }

  private void happen() {
    if (random.chance(8)) {
      editOwner();
    }
    if (random.chance(8)) {
      requestRestore();
    }
    if (random.chance(4)) {
      deleteRecord();
    }
    if (random.chance(4)) {
      changeLeader();
    }
    if (random.chance(2)) {
      recreateOwner();
    }
    if (random.chance(3) && !isForgettable()) {
      note("crash");
      replicas.end(replicas.all().getFirst());
    }
    if (random.chance(10)) {
      pods().skip(random.below(12)).findFirst().ifPresent(world.agents::work);
    }
    pods().filter(pod -> world.agents.isBusy(pod) && random.chance(30)).forEach(world.agents::rest);
    for (ApiVerb verb : VERBS) {
      if (random.chance(4)) {
        refuse(verb);
      } else if (random.chance(40)) {
        world.cluster.allow(verb);
      }
    }
    if (random.chance(2)) {
      annotate(random.any(owners), random.chance(50) ? "true" : "false");
    }
  }

  private void refuse(ApiVerb verb) {
    int code = random.any(CODES);
    tally.count("refusals with " + code);
    world.cluster.refuse(verb, code, "no");
  }

  /** Nothing goes wrong from now on, and nothing new is stopped. */
  private void recover() {
    recovered = true;
    world.mode("off");
    List.of(ApiVerb.values()).forEach(world.cluster::allow);
  }

  /** People write another value, but never the one that an action writes. */
  private void editOwner() {
    KnownOwner owner = random.any(owners);
    Optional<String> wanted = random.any(owner.choices);
    // A write that changes nothing leaves no trace, so it cannot be detected.
    if (owner.isHalfway() && owner.value().equals(wanted)) {
      return;
    }
    owner.wanted = wanted;
    tally.count("edits of owners");
    note("edit " + owner.spec.name() + " " + owner.wanted);
    world.cluster.writeOwnerField(
        SmallCluster.NAMESPACE, owner.spec, owner.spec.kind().field(), owner.wanted);
  }

  /** People delete an owner and create another one of the same name. */
  private void recreateOwner() {
    KnownOwner owner = random.any(owners);
    if (owner.isScaled()) {
      return;
    }
    tally.count("owners created again");
    note("create " + owner.spec.name() + " again");
    world.cluster.deleteOwner(SmallCluster.NAMESPACE, owner.spec);
    owner.recordDeleted = false;
    owner.stoppedBefore = false;
    owner.create();
  }

  private void annotate(KnownOwner owner, String excluded) {
    world.cluster.annotateOwner(
        SmallCluster.NAMESPACE, owner.spec, Map.of(Annotations.EXCLUDE, Optional.of(excluded)));
  }

  private void requestRestore() {
    List<Reclamation> records = records();
    if (!records.isEmpty()) {
      Reclamation record = random.any(records);
      note("request " + record.name());
      world.cluster.requestRestore(SmallCluster.NAMESPACE, record.name());
    }
  }

  private void note(String what) {
    history.add("\n" + world.clock.instant() + " " + what);
  }

  /** A record that no replica but the leader has seen could not be created by the next leader. */
  private void deleteRecord() {
    List<Reclamation> records =
        records().stream()
            .filter(
                record -> seenBy.getOrDefault(record.uid(), Set.of()).containsAll(replicas.all()))
            .toList();
    if (!records.isEmpty()) {
      Reclamation record = random.any(records);
      owners.stream()
          .filter(owner -> isOf(record, owner) && !record.status().orElseThrow().state().isFinal())
          .forEach(
              owner -> {
                owner.recordDeleted = true;
                owner.resumed = record.status().orElseThrow().changes().getLast().resumed();
                owner.leftWithoutRecord = true;
              });
      tally.count("records deleted");
      note("delete " + record.name());
      world.cluster.deleteRecord(SmallCluster.NAMESPACE, record.name());
    }
  }

  /**
   * Whether only the replicas that have seen a deleted record can restore its owner. One that
   * starts and leads before they do knows nothing of it.
   */
  private boolean isForgettable() {
    return owners.stream().anyMatch(owner -> owner.recordDeleted);
  }

  private void changeLeader() {
    if (isForgettable()) {
      return;
    }
    InMemoryReplica winner = random.any(replicas.all());
    replicas.lead(winner);
    tally.count("changes of the leader");
    note("leader " + replicas.all().indexOf(winner));
  }

  private void check() {
    List<ReclamationProgress> unfinished = unfinished();
    for (KnownOwner owner : owners) {
      boolean stopped = owner.isStopped();
      if (stopped) {
        assertThat(ways(owner, unfinished))
            .as("a way back to %s of %s after %s", owner.wanted, owner.spec, history)
            .contains(owner.wanted);
      } else if (owner.isHalfway() || owner.isHalfwayWithoutRecord()) {
        tally.count("owners resumed");
      } else {
        assertThat(owner.value()).as("%s after %s", owner.spec, history).isEqualTo(owner.wanted);
      }
      if (stopped && !owner.stoppedBefore) {
        tally.count(owner.spec.kind() + " stopped");
        assertThat(podsOf(owner).filter(world.agents::isBusy))
            .as("pods of %s that work", owner.spec)
            .isEmpty();
      }
      owner.recordDeleted &= stopped || owner.isHalfwayWithoutRecord();
      owner.stoppedBefore = stopped;
    }
    assertThat(unfinished.stream().map(ReclamationProgress::owner))
        .as("owners with an unfinished record after %s", history)
        .doesNotHaveDuplicates();
    owners.stream()
        .filter(owner -> unfinished.stream().anyMatch(owner::isNamedIn))
        .forEach(owner -> owner.leftWithoutRecord = false);
    unfinished.stream()
        .filter(progress -> isPartlyMade(progress.changes()))
        .forEach(_ -> tally.count("actions partly made"));
    for (Reclamation record : records()) {
      record
          .status()
          .filter(progress -> progress.state().isFinal())
          .ifPresent(progress -> checkFinished(record, progress, unfinished));
    }
    noteRecords();
  }

  private boolean isPartlyMade(List<FieldChange> changes) {
    return changes.stream().anyMatch(this::isMade) && !changes.stream().allMatch(this::isMade);
  }

  private boolean isMade(FieldChange change) {
    return world
        .cluster
        .freshObject(change.object(), Set.of(change.path()))
        .flatMap(OwnerView::details)
        .flatMap(details -> details.field(change.path()))
        .equals(change.written());
  }

  /** A finished record leaves nothing of its action behind; another action may hold the same. */
  private void checkFinished(
      Reclamation record, ReclamationProgress progress, List<ReclamationProgress> unfinished) {
    boolean mayBeOfAnother =
        unfinished.stream().anyMatch(other -> other.owner().equals(progress.owner()))
            || owners.stream().anyMatch(owner -> owner.leftWithoutRecord && isOf(record, owner));
    if (!mayBeOfAnother) {
      assertThat(progress.changes())
          .as("changes that %s has left behind after %s", record.name(), history)
          .noneMatch(this::isMade);
    }
  }

  private void noteRecords() {
    String now =
        records().stream()
            .flatMap(record -> record.status().stream())
            .map(each -> each.owner().name() + " " + each.state() + " " + former(each))
            .toList()
            .toString();
    if (!now.equals(lastNoted)) {
      note(now);
    }
    lastNoted = now;
  }

  /** The former values in unfinished records, those included that people deleted a moment ago. */
  private static List<Optional<String>> ways(
      KnownOwner owner, List<ReclamationProgress> unfinished) {
    List<Optional<String>> ways = new ArrayList<>();
    unfinished.stream()
        .filter(progress -> progress.owner().name().equals(owner.spec.name()))
        .forEach(progress -> ways.add(former(progress)));
    if (owner.recordDeleted) {
      ways.add(owner.wanted);
    }
    return ways;
  }

  private static boolean isOf(Reclamation record, KnownOwner owner) {
    return record
        .status()
        .filter(progress -> progress.owner().name().equals(owner.spec.name()))
        .isPresent();
  }

  private static Optional<String> former(ReclamationProgress progress) {
    return progress.changes().getLast().former();
  }

  private List<Reclamation> records() {
    return world.cluster.view().reclamations().orElseThrow();
  }

  private List<ReclamationProgress> unfinished() {
    return records().stream()
        .flatMap(record -> record.status().stream())
        .filter(progress -> !progress.state().isFinal())
        .toList();
  }

  private Stream<PodRef> pods() {
    return world.cluster.view().pods().stream()
        .filter(pod -> pod.node().isPresent() && !pod.terminating())
        .map(PodView::ref);
  }

  private Stream<PodRef> podsOf(KnownOwner owner) {
    return pods().filter(pod -> pod.name().startsWith(owner.spec.name() + "-"));
  }

  /** The process of a replica is gone; nothing of the program catches this. */
  private static final class ReplicaKilled extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** An owner and what people wrote into it last. */
  private final class KnownOwner {
    private final OwnerSpec spec;
    private final List<Optional<String>> choices;
    private Map<String, String> otherFields = Map.of();
    private Optional<String> wanted;
    private boolean stoppedBefore;
    private boolean recordDeleted;

    /** What the record that people deleted writes before it puts the former value back. */
    private Optional<String> resumed = Optional.empty();

    /** People have deleted its unfinished record, and no other one was seen since. */
    private boolean leftWithoutRecord;

    /**
     * @param choices what people write into its field, the first one at the beginning
     */
    private KnownOwner(OwnerSpec spec, List<Optional<String>> choices) {
      this.spec = spec;
      this.choices = choices;
      this.wanted = choices.getFirst();
      create();
    }

    private void create() {
      int name = names++;
      OwnerSpec controller =
          spec.kind() == OwnerType.DEPLOYMENT
              ? OwnerSpec.ofDeployment(spec.name(), "r" + name)
              : spec;
      world.pod(spec.name() + "-" + name, 1, pod -> pod.ownedBy(controller));
      wanted = choices.getFirst();
      world.cluster.writeOwnerField(SmallCluster.NAMESPACE, spec, spec.kind().field(), wanted);
      otherFields = others();
    }

    private Optional<String> value() {
      return world.cluster.ownerField(SmallCluster.NAMESPACE, spec, spec.kind().field());
    }

    /** Whether the value is one that an action writes; people never do. */
    private boolean isStopped() {
      return spec.kind() == OwnerType.NOTEBOOK
          ? value().filter(text -> text.startsWith("\"20")).isPresent()
          : spec.kind().isStoppedBy(value());
    }

    /** Whether it is resumed and gets back what people wrote when its pods are back. */
    private boolean isHalfway() {
      return unfinished().stream()
          .filter(this::isNamedIn)
          .map(progress -> progress.changes().getLast())
          .anyMatch(
              change ->
                  change.resumed().isPresent()
                      && change.resumed().equals(value())
                      && change.former().equals(wanted));
    }

    /** People have deleted the record while it was being restored. */
    private boolean isHalfwayWithoutRecord() {
      return recordDeleted && resumed.isPresent() && resumed.equals(value());
    }

    private boolean isNamedIn(ReclamationProgress progress) {
      return progress.owner().name().equals(spec.name());
    }

    private boolean isScaled() {
      return scalers.stream().anyMatch(scaler -> scaler.name().equals(spec.name()));
    }

    /** The fields that no action writes. */
    private Map<String, String> others() {
      Map<String, String> fields = new TreeMap<>();
      world.cluster.view().owners().values().stream()
          .filter(view -> view.owner().name().equals(spec.name()))
          .filter(view -> !view.owner().kind().equals(Autoscaler.SCALED_OBJECT))
          .flatMap(view -> view.details().stream())
          .forEach(details -> fields.putAll(details.fields()));
      fields
          .keySet()
          .removeIf(
              path ->
                  path.equals(spec.kind().field())
                      || path.startsWith("/status")
                      || path.startsWith("/metadata/generation"));
      return fields;
    }
  }
}
