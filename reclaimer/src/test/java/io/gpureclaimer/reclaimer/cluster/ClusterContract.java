package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.reclaimer.cluster.Cluster.RecordResult;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Cluster} promises. The scene: a namespace {@code ml} and a node {@code node-a}
 * with eight GPUs.
 */
public abstract class ClusterContract {
  protected static final String NAMESPACE = "ml";
  protected static final String NODE = "node-a";
  protected static final String KEY = "gpu-reclaimer.io/warned-at";

  private static final String REPLICAS = "/spec/replicas";
  private static final Instant BEGIN = Instant.parse("2026-03-02T12:00:00Z");
  private static final Notice NOTICE = new Notice("GpuIdle", "Idle for 2 h.", true);

  /** What a role may forbid. */
  protected enum Forbidden {
    GET,
    PATCH,
    EVICT,
    REPORTS,
    /** Change the Deployment {@code web}. */
    CHANGE,
    RECORD
  }

  protected abstract Cluster cluster();

  /** Creates a pod with one GPU that runs on the node. */
  protected abstract PodRef run(String name, Map<String, String> annotations);

  /**
   * Creates a pod as {@link #run} does, of the ReplicaSet {@code web-1} that the Deployment {@code
   * web} controls, which has the annotation {@code team: ml}.
   */
  protected abstract PodRef runBelowADeployment(String name);

  /** The API server refuses to list Deployments from now on. */
  protected abstract void hideDeployments();

  /** The node accepts no further pods. */
  protected abstract void cordon();

  /** Another client writes an annotation to the pod. */
  protected abstract void change(PodRef pod);

  /** The pod goes away and nothing comes in its place. */
  protected abstract void remove(PodRef pod);

  /** The pod goes away and another one of the same name runs in its place. */
  protected abstract PodRef replace(PodRef pod);

  /** A disruption budget has no room for an eviction. */
  protected abstract void leaveNoRoom(PodRef pod);

  /** A disruption budget that is not observed yet blocks evictions for ten seconds. */
  protected abstract void block(PodRef pod);

  /** The API server refuses from now on with code 403 and the message "no". */
  protected abstract void forbid(Forbidden verb, PodRef pod);

  /** The API server does not answer from now on. */
  protected abstract void cutOff();

  /** Others scale the Deployment {@code web} to five replicas. */
  protected abstract void scaleDeployment();

  /** The Deployment {@code web} goes away. */
  protected abstract void removeDeployment();

  /** Another Deployment {@code web} with one replica is created. */
  protected abstract void createDeployment();

  /** Owners do not know this field of {@code spec} from now on. */
  protected abstract void dropField(String name);

  /** People ask for a restoration in the record. */
  protected abstract void requestRestore(Reclamation record);

  /** People delete the record. */
  protected abstract void delete(Reclamation record);

  /** The CRD of the records is not installed; called before the first look at owners. */
  protected abstract void hideRecords();

  /** The notices stored on the object. */
  protected abstract List<Notice> reportedOn(ObjectRef object);

  @Test
  void watchesPodsNodesAndNamespaces() {
    PodView pod = running("train-0");

    ClusterView view = cluster().view();

    assertThat(view.pods()).containsExactly(pod);
    assertThat(pod.node()).contains(NODE);
    assertThat(pod.holdsGpus()).isTrue();
    assertThat(view.nodes())
        .singleElement()
        .returns(NODE, NodeView::name)
        .returns(8, NodeView::gpus)
        .returns(true, NodeView::accepting);
    assertThat(view.namespaces().get(NAMESPACE)).isEqualTo(new NamespaceView(NAMESPACE, Map.of()));
  }

  @Test
  void knowsTheOwnersOfAPod_upToTheTop() {
    PodRef pod = runBelowADeployment("web-1-a");

    Map<String, OwnerView> owners =
        await().until(() -> lookAt(pod), view -> view.owners().size() == 2).owners();
    Owner nearest = seen(pod).flatMap(PodView::owner).orElseThrow();
    OwnerView replicaSet = Optional.ofNullable(owners.get(nearest.uid())).orElseThrow();
    Owner top = replicaSet.controller().orElseThrow();

    assertThat(replicaSet)
        .isEqualTo(
            new OwnerView(
                new Owner("apps/v1", "ReplicaSet", "web-1", nearest.uid()),
                NAMESPACE,
                Optional.of(new Owner("apps/v1", "Deployment", "web", top.uid())),
                Map.of(),
                replicaSet.details()));
    OwnerView deployment = Optional.ofNullable(owners.get(top.uid())).orElseThrow();
    assertThat(deployment)
        .isEqualTo(
            new OwnerView(
                top, NAMESPACE, Optional.empty(), Map.of("team", "ml"), deployment.details()));
  }

  @Test
  void missesOnlyTheOwnersThatCannotBeRead() {
    hideDeployments();
    PodRef pod = runBelowADeployment("web-1-a");

    assertThat(await().until(() -> lookAt(pod), view -> !view.owners().isEmpty()).owners().values())
        .extracting(view -> view.owner().kind())
        .containsExactly("ReplicaSet");
  }

  @Test
  void sparesThePodsOfACordonedNode() {
    PodRef pod = running("train-0").ref();
    cordon();

    PodView spared =
        await()
            .until(() -> seen(pod), found -> found.flatMap(PodView::untouchable).isPresent())
            .orElseThrow();
    assertThat(spared.untouchable()).contains("on node node-a, which is cordoned");
    assertThat(cluster().fresh(pod)).contains(spared);
  }

  @Test
  void seesChangesInTime() {
    PodView before = running("train-0");
    change(before.ref());

    await()
        .until(
            () -> seen(before.ref()),
            found -> found.isPresent() && !found.equals(Optional.of(before)));
  }

  @Test
  void seesInTimeThatAPodIsGone() {
    PodRef pod = running("train-0").ref();
    remove(pod);

    await().until(() -> seen(pod), Optional::isEmpty);
  }

  @Test
  void doesNotLook_whenCutOff() {
    running("train-0");
    cutOff();

    await()
        .untilAsserted(
            () ->
                assertThatExceptionOfType(ClusterUnreachable.class)
                    .isThrownBy(() -> cluster().view()));
  }

  @Test
  void fetchesAPodAsItIsNow() {
    PodView before = running("train-0");
    change(before.ref());

    Optional<PodView> now = cluster().fresh(before.ref());

    assertThat(now).map(PodView::ref).contains(before.ref());
    assertThat(now)
        .map(PodView::resourceVersion)
        .isNotEqualTo(Optional.of(before.resourceVersion()));
  }

  @Test
  void fetchesANamespaceAsItIsNow() {
    String namespace = running("train-0").ref().namespace();

    assertThat(cluster().freshNamespace(namespace)).map(NamespaceView::name).contains(namespace);
    assertThat(cluster().freshNamespace("nowhere")).isEmpty();
  }

  @Test
  void fetchesNothing_whenThePodIsGone() {
    PodRef pod = running("train-0").ref();
    remove(pod);

    assertThat(cluster().fresh(pod)).isEmpty();
  }

  @Test
  void fetchesNothing_whenThePodWasReplaced() {
    PodRef pod = running("train-0").ref();
    replace(pod);

    assertThat(cluster().fresh(pod)).isEmpty();
  }

  @Test
  void knowsNothing_whenFetchingIsForbidden() {
    PodRef pod = running("train-0").ref();
    forbid(Forbidden.GET, pod);

    unreachable(cluster -> cluster.fresh(pod));
  }

  @Test
  void knowsNothing_whenFetchingCutOff() {
    PodRef pod = running("train-0").ref();
    cutOff();

    unreachable(cluster -> cluster.fresh(pod));
  }

  @Test
  void writesAndRemovesAnnotations() {
    PodView pod = running("train-0", Map.of("keep", "1", "drop", "2"));

    ActionResult annotated =
        cluster().annotate(pod, Map.of(KEY, Optional.of("now"), "drop", Optional.empty()));

    PodView now = cluster().fresh(pod.ref()).orElseThrow();
    assertThat(annotated).isEqualTo(new ActionResult.Done());
    assertThat(now.annotations()).isEqualTo(Map.of("keep", "1", KEY, "now"));
    assertThat(now.resourceVersion()).isNotEqualTo(pod.resourceVersion());
  }

  @Test
  void annotatesAgain_inTheVersionOfTheLastWrite() {
    PodView pod = running("train-0");
    cluster().annotate(pod, warned("now"));
    PodView written = cluster().fresh(pod.ref()).orElseThrow();

    assertThat(cluster().annotate(written, warned("later"))).isEqualTo(new ActionResult.Done());
    assertThat(cluster().fresh(pod.ref()).orElseThrow().annotations())
        .isEqualTo(Map.of(KEY, "later"));
  }

  @Test
  void doesNotAnnotate_whenThePodChanged() {
    PodView pod = running("train-0");
    change(pod.ref());

    assertThat(cluster().annotate(pod, warned("now"))).isEqualTo(ActionResult.podChanged());
    assertThat(cluster().fresh(pod.ref()).orElseThrow().annotations()).doesNotContainKey(KEY);
  }

  @Test
  void doesNotAnnotate_whenThePodIsGone() {
    PodView pod = running("train-0");
    remove(pod.ref());

    assertThat(cluster().annotate(pod, warned("now"))).isEqualTo(ActionResult.podGone());
  }

  @Test
  void doesNotAnnotate_whenThePodWasReplaced() {
    PodView pod = running("train-0");
    PodRef successor = replace(pod.ref());

    assertThat(cluster().annotate(pod, warned("now"))).isEqualTo(ActionResult.podGone());
    assertThat(cluster().fresh(successor).orElseThrow().annotations()).isEmpty();
  }

  @Test
  void doesNotAnnotate_whenForbidden() {
    PodView pod = running("train-0");
    forbid(Forbidden.PATCH, pod.ref());

    assertThat(cluster().annotate(pod, warned("now"))).isEqualTo(ActionResult.refused(403, "no"));
  }

  @Test
  void doesNotAnnotate_whenCutOff() {
    PodView pod = running("train-0");
    cutOff();

    unreachable(cluster -> cluster.annotate(pod, warned("now")));
  }

  @Test
  void evicts() {
    PodView pod = running("train-0");

    assertThat(cluster().evict(pod, false)).isEqualTo(new ActionResult.Done());
    assertThat(stays(pod)).isFalse();
  }

  @Test
  void changesNothing_whenItIsADryRun() {
    PodView pod = running("train-0");

    assertThat(cluster().evict(pod, true)).isEqualTo(new ActionResult.DryRun());
    assertThat(cluster().fresh(pod.ref())).contains(pod);
  }

  @Test
  void doesNotEvict_whenThePodChanged() {
    PodView pod = running("train-0");
    change(pod.ref());

    assertThat(cluster().evict(pod, false))
        .isInstanceOfSatisfying(
            ActionResult.Skipped.class,
            skipped ->
                assertThat(skipped.why()).startsWith("the pod changed in the last moment: "));
    assertThat(stays(pod)).isTrue();
  }

  @Test
  void doesNotEvict_whenThePodWasReplaced() {
    PodView pod = running("train-0");
    PodRef successor = replace(pod.ref());

    assertThat(cluster().evict(pod, false))
        .isInstanceOfSatisfying(
            ActionResult.Skipped.class,
            skipped ->
                assertThat(skipped.why()).startsWith("the pod changed in the last moment: "));
    assertThat(cluster().fresh(successor)).map(PodView::terminating).contains(false);
  }

  @Test
  void doesNotEvict_whenThePodIsGone() {
    PodView pod = running("train-0");
    remove(pod.ref());

    assertThat(cluster().evict(pod, false)).isEqualTo(ActionResult.podGone());
  }

  @Test
  void doesNotEvict_whenABudgetHasNoRoom() {
    PodView pod = running("train-0");
    leaveNoRoom(pod.ref());

    assertThat(cluster().evict(pod, false))
        .isEqualTo(
            new ActionResult.Blocked(
                Optional.empty(),
                "Cannot evict pod as it would violate the pod's disruption budget. The disruption"
                    + " budget pdb needs 1 healthy pods and has 1 currently"));
    assertThat(stays(pod)).isTrue();
  }

  @Test
  void rehearsesABudgetToo() {
    PodView pod = running("train-0");
    leaveNoRoom(pod.ref());

    assertThat(cluster().evict(pod, true)).isInstanceOf(ActionResult.Blocked.class);
  }

  @Test
  void doesNotEvict_whenABudgetIsNotObservedYet() {
    PodView pod = running("train-0");
    block(pod.ref());

    assertThat(cluster().evict(pod, false))
        .isEqualTo(
            new ActionResult.Blocked(
                Optional.of(Duration.ofSeconds(10)),
                "Cannot evict pod as it would violate the pod's disruption budget. The disruption"
                    + " budget pdb is still being processed by the server."));
    assertThat(stays(pod)).isTrue();
  }

  @Test
  void doesNotEvict_whenForbidden() {
    PodView pod = running("train-0");
    forbid(Forbidden.EVICT, pod.ref());

    assertThat(cluster().evict(pod, false)).isEqualTo(ActionResult.refused(403, "no"));
    assertThat(stays(pod)).isTrue();
  }

  @Test
  void doesNotEvict_whenCutOff() {
    PodView pod = running("train-0");
    cutOff();

    unreachable(cluster -> cluster.evict(pod, false));
  }

  @Test
  void reports() {
    PodRef pod = running("train-0").ref();
    Notice calm = new Notice("GpuReclaimed", "Gave 1 GPU back.", false);

    assertThat(cluster().recordEvent(pod, NOTICE)).isTrue();
    assertThat(cluster().recordEvent(pod, calm)).isTrue();
    assertThat(reportedOn(ObjectRef.of(pod))).containsExactlyInAnyOrder(NOTICE, calm);
  }

  @Test
  void saysThatTheEventWasRefused_whenForbidden() {
    PodRef pod = running("train-0").ref();
    forbid(Forbidden.REPORTS, pod);

    assertThat(cluster().recordEvent(pod, NOTICE)).isFalse();
    assertThat(reportedOn(ObjectRef.of(pod))).isEmpty();
  }

  @Test
  void doesNotReport_whenCutOff() {
    PodRef pod = running("train-0").ref();
    cutOff();

    unreachable(cluster -> cluster.recordEvent(pod, NOTICE));
  }

  @Test
  void reportsOnAnOwner() {
    ObjectRef deployment = deployment();

    assertThat(cluster().recordEvent(deployment, NOTICE)).isTrue();
    assertThat(reportedOn(deployment)).containsExactly(NOTICE);
  }

  @Test
  void changesAFieldOfAnOwner_andBack() {
    ObjectRef deployment = deployment();
    FieldChange toZero = scaling(deployment, "1", "0");

    assertThat(change(toZero, false)).isEqualTo(new ActionResult.Done());
    assertThat(replicas(deployment)).contains("0");
    assertThat(change(toZero.inverse(), false)).isEqualTo(new ActionResult.Done());
    assertThat(replicas(deployment)).contains("1");
  }

  @Test
  void setsAndRemovesAField() {
    ObjectRef deployment = deployment();
    var stop =
        new FieldChange(
            deployment,
            FieldChange.annotation("example.com/stop"),
            Optional.empty(),
            Optional.of("\"now\""));

    assertThat(change(stop, false)).isEqualTo(new ActionResult.Done());
    assertThat(field(deployment, stop.path())).contains("\"now\"");
    assertThat(change(stop.inverse(), false)).isEqualTo(new ActionResult.Done());
    assertThat(field(deployment, stop.path())).isEmpty();
  }

  @Test
  void changesNoOwner_whenItIsADryRun() {
    ObjectRef deployment = deployment();

    assertThat(change(scaling(deployment, "1", "0"), true)).isEqualTo(new ActionResult.DryRun());
    assertThat(replicas(deployment)).contains("1");
  }

  @Test
  void doesNotChangeAnOwner_whenOthersChangedIt() {
    ObjectRef deployment = deployment();
    String before = version(deployment);
    scaleDeployment();

    assertThat(cluster().change(List.of(scaling(deployment, "1", "0")), before, false))
        .isInstanceOf(ActionResult.Skipped.class);
    assertThat(replicas(deployment)).contains("5");
  }

  @Test
  void doesNotChangeAnOwner_whenItWasReplaced() {
    ObjectRef deployment = deployment();
    String before = version(deployment);
    removeDeployment();
    createDeployment();

    assertThat(cluster().change(List.of(scaling(deployment, "1", "0")), before, false))
        .isInstanceOf(ActionResult.Skipped.class);
    assertThat(cluster().freshObject(deployment, Set.of(REPLICAS))).isEmpty();
  }

  @Test
  void doesNotChangeAnOwner_whenItIsGone() {
    ObjectRef deployment = deployment();
    String before = version(deployment);
    removeDeployment();

    assertThat(cluster().change(List.of(scaling(deployment, "1", "0")), before, false))
        .isEqualTo(ActionResult.gone(deployment));
    assertThat(cluster().freshObject(deployment, Set.of(REPLICAS))).isEmpty();
  }

  @Test
  void saysThatAFieldWasNotStored() {
    ObjectRef deployment = deployment();
    dropField("paused");
    var pause = new FieldChange(deployment, "/spec/paused", Optional.empty(), Optional.of("true"));

    assertThat(change(pause, false))
        .isInstanceOfSatisfying(
            ActionResult.Failed.class,
            failed -> assertThat(failed.why()).contains("spec.paused", "did not store it"));
  }

  @Test
  void doesNotChangeAnOwner_whenForbidden() {
    PodRef pod = runBelowADeployment("web-1-a");
    ObjectRef deployment = deploymentOf(pod);
    forbid(Forbidden.CHANGE, pod);

    assertThat(change(scaling(deployment, "1", "0"), false))
        .isEqualTo(ActionResult.refused(403, "no"));
    assertThat(replicas(deployment)).contains("1");
  }

  @Test
  void doesNotChangeAnOwner_whenCutOff() {
    ObjectRef deployment = deployment();
    FieldChange change = scaling(deployment, "1", "0");
    String version = version(deployment);
    Reclamation record = record(deployment, ReclamationState.INTENDED);
    cutOff();

    unreachable(cluster -> cluster.change(List.of(change), version, false));
    unreachable(cluster -> cluster.freshObject(deployment, Set.of(REPLICAS)));
    unreachable(cluster -> cluster.create(record));
    unreachable(cluster -> cluster.update(record));
  }

  @Test
  void storesARecordOfAnAction_andItsProgress() {
    Reclamation created = created(ReclamationState.INTENDED);
    seen(created);

    Reclamation acting = stored(cluster().update(inState(created, ReclamationState.ACTING)));

    assertThat(created.uid()).isNotEmpty();
    assertThat(acting.uid()).isEqualTo(created.uid());
    assertThat(acting.resourceVersion()).isNotEqualTo(created.resourceVersion());
    seen(acting);
  }

  @Test
  void doesNotRecordAnActionTwice() {
    Reclamation first = created(ReclamationState.INTENDED);

    assertThat(cluster().create(record(deploymentOf(first), ReclamationState.INTENDED)))
        .isInstanceOfSatisfying(
            RecordResult.NotStored.class,
            refused -> assertThat(refused.why()).isInstanceOf(ActionResult.Skipped.class));
    seen(first);
  }

  @Test
  void usesTheRecordAgain_whoseActionWasNotMade() {
    Reclamation first = created(ReclamationState.INTENDED);
    var _ = stored(cluster().update(inState(first, ReclamationState.FAILED)));

    Reclamation second =
        stored(cluster().create(record(deploymentOf(first), ReclamationState.INTENDED)));

    assertThat(second.uid()).isEqualTo(first.uid());
    seen(second);
  }

  @Test
  void doesNotUpdateARecord_thatPeopleChanged() {
    Reclamation record = created(ReclamationState.INTENDED);
    requestRestore(record);

    assertThat(cluster().update(inState(record, ReclamationState.ACTING)))
        .isInstanceOf(RecordResult.NotStored.class);
    Reclamation seen =
        await().until(() -> records().getFirst(), found -> found.request().restore());
    assertThat(seen.status()).isEqualTo(record.status());
    assertThat(cluster().update(inState(seen, ReclamationState.ACTING)))
        .isInstanceOf(RecordResult.Stored.class);
  }

  @Test
  void doesNotUpdateARecord_thatPeopleDeleted() {
    Reclamation record = created(ReclamationState.INTENDED);
    seen(record);
    delete(record);

    assertThat(cluster().update(inState(record, ReclamationState.ACTING)))
        .isInstanceOf(RecordResult.NotStored.class);
    await().until(this::records, List::isEmpty);
  }

  @Test
  void doesNotRecord_whenForbidden() {
    PodRef pod = runBelowADeployment("web-1-a");
    ObjectRef deployment = deploymentOf(pod);
    forbid(Forbidden.RECORD, pod);

    assertThat(cluster().create(record(deployment, ReclamationState.INTENDED)))
        .isInstanceOfSatisfying(
            RecordResult.NotStored.class,
            refused ->
                assertThat(refused.why())
                    .isInstanceOfSatisfying(
                        ActionResult.Failed.class,
                        failed -> assertThat(failed.why()).contains("403", "no")));
  }

  @Test
  void deletesARecord() {
    Reclamation record = created(ReclamationState.RESTORED);
    seen(record);

    assertThat(cluster().delete(record)).isEqualTo(new ActionResult.Done());

    await().untilAsserted(() -> assertThat(records()).isEmpty());
    assertThat(cluster().delete(record)).isInstanceOf(ActionResult.Skipped.class);
  }

  @Test
  void deletesNoRecord_thatWasChangedMeanwhile() {
    Reclamation record = created(ReclamationState.RESTORED);
    requestRestore(record);

    assertThat(cluster().delete(record)).isInstanceOf(ActionResult.Skipped.class);

    await()
        .untilAsserted(
            () -> assertThat(records()).extracting(Reclamation::name).contains(record.name()));
  }

  @Test
  void knowsNoRecords_whenTheirKindIsNotInstalled() {
    hideRecords();
    ObjectRef deployment = deployment();

    assertThat(cluster().view().reclamations()).isEmpty();
    assertThat(cluster().create(record(deployment, ReclamationState.INTENDED)))
        .isInstanceOfSatisfying(
            RecordResult.NotStored.class,
            refused ->
                assertThat(refused.why())
                    .isInstanceOfSatisfying(
                        ActionResult.Failed.class,
                        failed -> assertThat(failed.why()).contains("not installed")));
  }

  private ObjectRef deployment() {
    return deploymentOf(runBelowADeployment("web-1-a"));
  }

  private ObjectRef deploymentOf(PodRef pod) {
    return await()
        .until(() -> lookAt(pod), view -> view.owners().size() == 2)
        .owners()
        .values()
        .stream()
        .filter(owner -> owner.controller().isEmpty())
        .map(OwnerView::ref)
        .findFirst()
        .orElseThrow();
  }

  private static ObjectRef deploymentOf(Reclamation record) {
    return record.status().orElseThrow().owner();
  }

  private ActionResult change(FieldChange change, boolean dryRun) {
    return cluster().change(List.of(change), version(change.object()), dryRun);
  }

  private String version(ObjectRef object) {
    return details(object, REPLICAS).resourceVersion();
  }

  private Optional<String> replicas(ObjectRef object) {
    return field(object, REPLICAS);
  }

  private Optional<String> field(ObjectRef object, String path) {
    return details(object, path).field(path);
  }

  private OwnerDetails details(ObjectRef object, String path) {
    return cluster().freshObject(object, Set.of(path)).flatMap(OwnerView::details).orElseThrow();
  }

  private static FieldChange scaling(ObjectRef object, String from, String to) {
    return new FieldChange(object, FieldChange.SCALE, REPLICAS, Optional.of(from), Optional.of(to));
  }

  private Reclamation created(ReclamationState state) {
    return stored(cluster().create(record(deployment(), state)));
  }

  private static Reclamation stored(RecordResult result) {
    assertThat(result).isInstanceOf(RecordResult.Stored.class);
    return ((RecordResult.Stored) result).record();
  }

  private List<Reclamation> records() {
    return cluster().view().reclamations().orElse(List.of());
  }

  /** The watch has exactly this record, in time. */
  private void seen(Reclamation record) {
    await().untilAsserted(() -> assertThat(records()).containsExactly(record));
  }

  private static Reclamation inState(Reclamation record, ReclamationState state) {
    ReclamationProgress progress = record.status().orElseThrow();
    return record.with(progress.in(state, "Now it is " + state.text() + ".", progress.times()));
  }

  private static Reclamation record(ObjectRef owner, ReclamationState state) {
    String id = "0d2f3400-1111-2222-3333-444455556666";
    return new Reclamation(
        owner.namespace(),
        Reclamation.nameOf(owner, id),
        "",
        "",
        RestoreRequest.NONE,
        Optional.of(
            new ReclamationProgress(
                state,
                "scale",
                id,
                "The action is recorded; nothing was changed.",
                owner,
                "1",
                List.of(new PodRef(owner.namespace(), "web-1-a", "uid-a")),
                1,
                Optional.of("ml/waiting"),
                "idle for 2 hours",
                List.of(scaling(owner, "1", "0")),
                Timeline.recorded(BEGIN, BEGIN.plusSeconds(60), BEGIN.plusSeconds(120)))));
  }

  private PodView running(String name) {
    return running(name, Map.of());
  }

  private PodView running(String name, Map<String, String> annotations) {
    PodRef pod = run(name, annotations);
    return await().until(() -> seen(pod), Optional::isPresent).orElseThrow();
  }

  private Optional<PodView> seen(PodRef pod) {
    return cluster().view().pods().stream().filter(view -> view.ref().equals(pod)).findFirst();
  }

  /** A look that has the pod; it may take some, because owners are asked for one after another. */
  private ClusterView lookAt(PodRef pod) {
    return await()
        .ignoreException(ClusterUnreachable.class)
        .until(
            () -> cluster().view(),
            view -> view.pods().stream().anyMatch(found -> found.ref().equals(pod)));
  }

  private boolean stays(PodView pod) {
    return cluster().fresh(pod.ref()).filter(now -> !now.terminating()).isPresent();
  }

  private void unreachable(Function<Cluster, Object> call) {
    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(
            () -> {
              var _ = call.apply(cluster());
            });
  }

  private static Map<String, Optional<String>> warned(String value) {
    return Map.of(KEY, Optional.of(value));
  }
}
