package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static final Notice NOTICE = new Notice("GpuIdle", "Idle for 2 h.", true);

  /** What a role may forbid. */
  protected enum Forbidden {
    GET,
    PATCH,
    EVICT,
    TELL
  }

  protected abstract Cluster cluster();

  /** Creates a pod with one GPU that runs on the node. */
  protected abstract PodRef run(String name, Map<String, String> annotations);

  /**
   * Creates a pod as {@link #run} does, of the ReplicaSet {@code web-1} that the Deployment {@code
   * web} controls, which has the annotation {@code team: ml}.
   */
  protected abstract PodRef runBelowADeployment(String name);

  /** The API server shows nobody its Deployments from now on. */
  protected abstract void hideDeployments();

  /** The node accepts no more pods. */
  protected abstract void cordon();

  /** Somebody else writes an annotation to the pod. */
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

  /** The notices stored on the pod. */
  protected abstract List<Notice> toldOn(PodRef pod);

  @Test
  void looksAtPodsNodesAndNamespaces() {
    PodView pod = running("train-0");

    ClusterView view = cluster().look();

    assertThat(view.pods()).containsExactly(pod);
    assertThat(pod.node()).contains(NODE);
    assertThat(pod.holdsGpus()).isTrue();
    assertThat(view.nodes()).containsExactly(new NodeView(NODE, 8, Map.of(), List.of(), true));
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
                    .isThrownBy(() -> cluster().look()));
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
  void tells() {
    PodRef pod = running("train-0").ref();
    Notice calm = new Notice("GpuReclaimed", "Gave 1 GPU back.", false);

    assertThat(cluster().tell(pod, NOTICE)).isTrue();
    assertThat(cluster().tell(pod, calm)).isTrue();
    assertThat(toldOn(pod)).containsExactlyInAnyOrder(NOTICE, calm);
  }

  @Test
  void saysThatItWasNotTold_whenForbidden() {
    PodRef pod = running("train-0").ref();
    forbid(Forbidden.TELL, pod);

    assertThat(cluster().tell(pod, NOTICE)).isFalse();
    assertThat(toldOn(pod)).isEmpty();
  }

  @Test
  void doesNotTell_whenCutOff() {
    PodRef pod = running("train-0").ref();
    cutOff();

    unreachable(cluster -> cluster.tell(pod, NOTICE));
  }

  private PodView running(String name) {
    return running(name, Map.of());
  }

  private PodView running(String name, Map<String, String> annotations) {
    PodRef pod = run(name, annotations);
    return await().until(() -> seen(pod), Optional::isPresent).orElseThrow();
  }

  private Optional<PodView> seen(PodRef pod) {
    return cluster().look().pods().stream().filter(view -> view.ref().equals(pod)).findFirst();
  }

  /** A look that has the pod; it may take some, because owners are asked for one after another. */
  private ClusterView lookAt(PodRef pod) {
    return await()
        .ignoreException(ClusterUnreachable.class)
        .until(
            () -> cluster().look(),
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
