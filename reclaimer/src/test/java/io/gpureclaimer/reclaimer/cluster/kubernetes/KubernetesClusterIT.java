package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KubernetesClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String POD = "/api/v1/namespaces/ml/pods/train-0";

  private final AtomicLong nanos = new AtomicLong();
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(client, WatchTerms.usual(LIMIT), InstantSource.system(), nanos::get);

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @Test
  void doesNotLook_beforeTheFirstListIsComplete() {
    try (FakeApiServer dead = new FakeApiServer();
        KubernetesClient noServer = dead.connect()) {
      dead.cutOff();
      KubernetesCluster early =
          KubernetesCluster.start(
              noServer, WatchTerms.usual(LIMIT), InstantSource.system(), MonotonicClock.SYSTEM);
      assertThatExceptionOfType(ClusterUnreachable.class)
          .isThrownBy(early::view)
          .withMessageStartingWith("watch pods: the first list is not complete");
      early.close();
    }
  }

  @Test
  void says_whyItCannotLook() {
    try (FakeApiServer strict = new FakeApiServer();
        KubernetesClient newcomer = strict.connect()) {
      strict.force("GET", "/api/v1/nodes?limit=500", 403, "nodes is forbidden");
      KubernetesCluster early =
          KubernetesCluster.start(
              newcomer, WatchTerms.usual(LIMIT), InstantSource.system(), MonotonicClock.SYSTEM);
      await()
          .untilAsserted(
              () ->
                  assertThatExceptionOfType(ClusterUnreachable.class)
                      .isThrownBy(early::view)
                      .withMessage(
                          "watch nodes: the first list is not complete: the API server answered"
                              + " 403: nodes is forbidden"));
      early.close();
    }
  }

  @Test
  void trustsItsMemory_forAsLongAsTheLimitAllows() {
    create("train-0", "node-a");
    await().until(() -> view().pods().size() == 1);

    server.cutOff();
    nanos.set(LIMIT.toNanos() + 1);
    await()
        .untilAsserted(
            () ->
                assertThatExceptionOfType(ClusterUnreachable.class)
                    .isThrownBy(cluster::view)
                    .withMessage("watch pods: broken for longer than the 120 s that are allowed"));

    nanos.set(LIMIT.toNanos());
    assertThat(cluster.view().pods()).hasSize(1);
  }

  @Test
  void doesNotLook_afterItWasClosed() {
    view();
    cluster.close();

    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(cluster::view)
        .withMessage("watch pods: it was stopped");
  }

  @Test
  void keepsOnlyPodsWithGpus() {
    apply(
        "{kind: Pod, apiVersion: v1, metadata: {namespace: ml, name: web}, spec: {containers:"
            + " [{name: a}]}}");
    create("train-0", "node-a");

    await().until(() -> !view().pods().isEmpty());
    assertThat(view().pods()).extracting(pod -> pod.ref().name()).containsExactly("train-0");
  }

  @Test
  void knowsPodsOnNodesWithSharedGpus() {
    apply(
        """
        kind: Node
        apiVersion: v1
        metadata: {name: node-s, labels: {nvidia.com/gpu.product: Tesla-T4-SHARED}}
        status:
          allocatable: {nvidia.com/gpu: '16'}
          conditions: [{type: Ready, status: 'True'}]
        """);
    create("train-0", "node-s");

    await().until(() -> view().pods().stream().anyMatch(pod -> pod.accelerators().shares()));
    assertThat(view().nodes())
        .singleElement()
        .satisfies(node -> assertThat(node.gpus()).isZero())
        .satisfies(node -> assertThat(node.devices()).isEqualTo(Map.of("nvidia.com/gpu", 16)));
    PodView pod = view().pods().getFirst();
    assertThat(cluster.fresh(pod.ref())).contains(pod);
  }

  @Test
  void listsInPages() {
    await().until(() -> view() != null);

    assertThat(server.calls())
        .filteredOn(call -> !call.contains("watch=true"))
        .allMatch(call -> call.contains("limit=500"));
  }

  @Test
  void asksOnce_whenABudgetBlocks() {
    create("train-0", "node-a");
    PodView pod = await().until(() -> view().pods(), pods -> !pods.isEmpty()).getFirst();
    server.objectToEvictions("no room", Optional.of("1"));

    assertThat(cluster.evict(pod, false)).isInstanceOf(ActionResult.Blocked.class);
    assertThat(server.calls())
        .filteredOn(call -> call.equals("POST " + POD + "/eviction"))
        .hasSize(1);
  }

  @Test
  void takesAnAnswerThatIsNoPodForNoAnswer() {
    create("train-0", "node-a");
    PodView pod = await().until(() -> view().pods(), pods -> !pods.isEmpty()).getFirst();
    server.forceText("GET", POD, "<html>Please log in</html>");

    assertThatExceptionOfType(ClusterUnreachable.class)
        .isThrownBy(() -> cluster.fresh(pod.ref()))
        .withMessage("read a Pod: got <html>Please log in</html>");
  }

  /** Exactly what the role of the Helm chart has to allow. */
  @Test
  void usesNoOtherVerbs() {
    create("train-0", "node-a");
    PodView pod = await().until(() -> view().pods(), pods -> !pods.isEmpty()).getFirst();
    List<String> adminsCalls = List.of("POST /api/v1/namespaces/ml/pods");

    cluster.recordEvent(pod.ref(), new Notice("GpuIdle", "Idle.", true));
    cluster.fresh(pod.ref());
    cluster.annotate(pod, Map.of("a", Optional.of("b")));
    cluster.evict(pod, true);

    assertThat(server.calls())
        .filteredOn(call -> !adminsCalls.contains(call))
        .map(call -> call.replaceAll("\\?.*watch=true.*", " watch").replaceAll("\\?.*", " list"))
        .containsOnly(
            "GET /api/v1/pods list",
            "GET /api/v1/pods watch",
            "GET /api/v1/namespaces list",
            "GET /api/v1/namespaces watch",
            "GET /api/v1/nodes list",
            "GET /api/v1/nodes watch",
            "POST /api/v1/namespaces/ml/events",
            "GET " + POD,
            "PATCH " + POD,
            "POST " + POD + "/eviction");
  }

  @Test
  void isNotHinderedByAKindThatDoesNotExist_andAsksAgainOnlyAfterAWhile() {
    createOwned("train-0", "example.com/v1", "Robot", "r2");
    ClusterView view =
        await()
            .ignoreException(ClusterUnreachable.class)
            .until(cluster::view, KubernetesClusterIT::hasPods);

    assertThat(view.owners()).isEmpty();
    assertThat(asked("/apis/example.com/v1")).isEqualTo(1);

    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    view();
    assertThat(asked("/apis/example.com/v1")).isEqualTo(1);

    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    view();
    await().until(() -> asked("/apis/example.com/v1") == 2);
  }

  @Test
  void asksOnceForTheKindsOfAGroup_andWatchesThoseThatPodsLeadTo() {
    server.forceText("GET", "/apis/apps/v1", Kinds.APPS);
    createOwned("web-0", "apps/v1", "StatefulSet", "web");
    createOwned("web-1-a", "apps/v1", "ReplicaSet", "web-1");
    await()
        .ignoreException(ClusterUnreachable.class)
        .until(cluster::view, view -> view.pods().size() == 2);

    assertThat(asked("/apis/apps/v1")).isEqualTo(1);
    assertThat(server.calls())
        .filteredOn(call -> call.contains("/apis/apps/v1/"))
        .allMatch(call -> call.contains("statefulsets") || call.contains("replicasets"));
  }

  @Test
  void takesAnotherObjectOfTheSameNameForNoOwner() {
    server.forceText("GET", "/apis/apps/v1", Kinds.APPS);
    apply("{kind: StatefulSet, apiVersion: apps/v1, metadata: {namespace: ml, name: web}}");
    createOwned("web-0", "apps/v1", "StatefulSet", "web");

    ClusterView view =
        await()
            .ignoreException(ClusterUnreachable.class)
            .until(cluster::view, KubernetesClusterIT::hasPods);

    assertThat(view.owners()).isEmpty();
  }

  @Test
  void addsWhatScalesTheServicesOfADynamoGraph() {
    server.forceText("GET", "/apis/nvidia.com/v1beta1", Kinds.DYNAMO);
    String graph =
        apply(
            """
            kind: DynamoGraphDeployment
            apiVersion: nvidia.com/v1beta1
            metadata: {namespace: ml, name: chat}
            """);
    String controller = "DynamoGraphDeployment, name: chat, uid: " + graph;
    applyControlled("nvidia.com/v1beta1", "DynamoGraphDeploymentScalingAdapter", controller);
    applyControlled("v1", "Pod", controller);

    await()
        .ignoreException(ClusterUnreachable.class)
        .untilAsserted(
            () ->
                assertThat(cluster.view().owners().values())
                    .extracting(view -> view.owner().kind())
                    .containsExactlyInAnyOrder(
                        "DynamoGraphDeployment", "DynamoGraphDeploymentScalingAdapter"));
  }

  private void applyControlled(String apiVersion, String kind, String controller) {
    apply(
        """
        kind: %s
        apiVersion: %s
        metadata:
          namespace: ml
          name: chat-decode
          ownerReferences:
          - {apiVersion: nvidia.com/v1beta1, kind: %s, controller: true}
        spec:
          containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]
        """
            .replaceFirst("%s", kind)
            .replaceFirst("%s", apiVersion)
            .replaceFirst("%s", controller));
  }

  @Test
  void sparesPodsOfANodeThatItDoesNotKnow() {
    create("train-0", "node-x");

    await().until(() -> !view().pods().isEmpty());
    assertThat(view().pods().getFirst().untouchable())
        .contains("on node node-x, which is not known");
  }

  private long asked(String path) {
    return server.calls().stream().filter(("GET " + path)::equals).count();
  }

  private static boolean hasPods(ClusterView view) {
    return !view.pods().isEmpty();
  }

  private void createOwned(String name, String apiVersion, String kind, String owner) {
    apply(
        """
        kind: Pod
        apiVersion: v1
        metadata:
          namespace: ml
          name: %s
          ownerReferences:
          - {apiVersion: %s, kind: %s, name: %s, uid: not-the-real-one, controller: true}
        spec:
          containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]
        status: {phase: Running}
        """
            .replaceFirst("%s", name)
            .replaceFirst("%s", apiVersion)
            .replaceFirst("%s", kind)
            .replaceFirst("%s", owner));
  }

  private ClusterView view() {
    return await().ignoreException(ClusterUnreachable.class).until(cluster::view, view -> true);
  }

  private void create(String name, String node) {
    apply(
        """
        kind: Pod
        apiVersion: v1
        metadata: {namespace: ml, name: %s}
        spec:
          nodeName: %s
          containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]
        status: {phase: Running}
        """
            .replaceFirst("%s", name)
            .replaceFirst("%s", node));
  }

  private String apply(String yaml) {
    HasMetadata item = new KubernetesSerialization().unmarshal("---\n" + yaml);
    return server.admin().resource(item).create().getMetadata().getUid();
  }
}
