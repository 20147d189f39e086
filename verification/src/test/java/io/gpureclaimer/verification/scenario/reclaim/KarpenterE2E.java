package io.gpureclaimer.verification.scenario.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.PodHistory;
import io.gpureclaimer.verification.scenario.harness.RealController;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One GPU, an idle pod that has it, and a pending pod for which the real Karpenter may add a node.
 * Its cloud provider of KWOK creates Node objects without machines.
 */
@OnCluster
@Tag("nightly")
class KarpenterE2E {
  private static final Manifest POOL = Manifest.beside(KarpenterE2E.class, "karpenter.yaml");
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(4), Duration.ofSeconds(2));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration WHILE = Duration.ofSeconds(15);
  private static final String NAME = "scenario";
  private static final String GPU = "gpu.large";
  private static final String STARTUP_TAINT = "example.com/agent-not-ready";

  private static TestCluster cluster;
  private static NodeProcess karpenter;

  private Replicas replicas;
  private TestNamespace tenant;
  private StubPrometheus prometheus;
  private Pod idle;

  @BeforeAll
  static void startKarpenter(TestCluster shared) {
    cluster = shared;
    karpenter = RealController.start(cluster, "karpenter");
  }

  @AfterAll
  static void stopKarpenter() {
    karpenter.close();
  }

  @BeforeEach
  void fillTheNode(Replicas replicas) {
    this.replicas = replicas;
    this.tenant = TestNamespace.withMode(cluster, "on-demand");
    this.prometheus = replicas.prometheus();
    cluster.gpus(1);
    idle = tenant.start("idle");
    prometheus.showsIdle(idle);
  }

  /** While Karpenter still removes its finalizers; pods first, or it creates NodeClaims again. */
  @AfterEach
  void removeNodes() {
    var pods = cluster.client().pods().inNamespace(tenant.namespace());
    pods.withGracePeriod(0).delete();
    await("no pod is left").atMost(SOON).until(() -> pods.list().getItems().isEmpty());
    nodePools().delete();
    await("no node of Karpenter is left")
        .atMost(SOON)
        .until(() -> nodeClaims().list().getItems().isEmpty() && nodesOfKarpenter().isEmpty());
  }

  @Test
  void waitsForAnAnnouncedNode_untilItsNodeClaimIsDeleted() {
    provide(GPU, "1h");
    Replica replica = start("plan.pending-grace=10s");

    tenant.create("pending", Map.of());

    GenericKubernetesResource claim = awaitNodeClaim("Launched");
    assertThat(claim.<List<Map<String, Object>>>get("spec", "requirements"))
        .as("Karpenter writes Gt as Gte")
        .contains(
            Map.of(
                "key",
                "karpenter.kwok.sh/instance-cpu",
                "operator",
                "Gte",
                "values",
                List.of("4")));
    awaitExplained(replica, "served-by-others: Karpenter announced a node for it at ");
    idleRunsOn(WHILE);

    nodePools().delete();
    await("its NodeClaim is deleted")
        .atMost(SOON)
        .until(() -> nodeClaims().list().getItems().isEmpty());

    assertServedByReclaiming();
    assertThat(eventsOfKarpenter()).extracting(Event::getReason).containsOnly("Nominated");
  }

  @Test
  void servesThePod_onceKarpenterCanNoLongerProvideTheNode() {
    provide(GPU, "1h");
    Replica replica = start("plan.pending-grace=10s");
    tenant.create("pending", Map.of());
    awaitNodeClaim("Launched");
    awaitExplained(replica, "served-by-others: Karpenter announced a node for it at ");

    TestCluster.merge(nodePools().withName(NAME), "{\"spec\":{\"limits\":{\"nvidia.com/gpu\":0}}}");
    nodeClaims().delete();

    assertServedByReclaiming();
    assertThat(eventsOfKarpenter())
        .extracting(Event::getReason)
        .containsOnly("Nominated", "FailedScheduling");
  }

  @Test
  void servesThePod_whenTheNodeDoesNotComeInTime() {
    provide(GPU, "1h");
    start("plan.pending-grace=5s", "plan.wait-for-others=40s");

    tenant.create("pending", Map.of());

    GenericKubernetesResource claim = awaitNodeClaim("Launched");
    assertServedByReclaiming();
    Instant created = Instant.parse(claim.getMetadata().getCreationTimestamp());
    Pod evicted = tenant.history().awaitEvicted("idle");
    assertThat(Instant.parse(evicted.getMetadata().getDeletionTimestamp()))
        .isAfterOrEqualTo(created.plusSeconds(40));
    assertThat(nodeClaims().list().getItems())
        .singleElement()
        .satisfies(
            same -> {
              assertThat(same.getMetadata().getUid()).isEqualTo(claim.getMetadata().getUid());
              assertThat(condition(same, "Initialized")).isNotEqualTo("True");
            });
  }

  @Test
  void doesNotWait_whenNoNodePoolFits() {
    provide("cpu.large", "1h");
    start("plan.pending-grace=5s");

    tenant.create("pending", Map.of());

    assertServedByReclaiming();
    assertThat(eventsOfKarpenter()).extracting(Event::getReason).containsOnly("FailedScheduling");
    assertThat(nodeClaims().list().getItems()).isEmpty();
  }

  @Test
  void leavesThePodToANodeThatRegisters_andBecomesReadyLater() {
    provide(GPU, "0s");
    Replica replica = start("plan.pending-grace=5s");
    tenant.create("pending", Map.of());

    String node = awaitNodeClaim("Registered").get("status", "nodeName");
    awaitExplained(replica, "served-by-others: Karpenter announced a node for it at ");
    idleRunsOn(WHILE);

    becomesReady(node);
    awaitNodeClaim("Initialized");
    tenant
        .history()
        .await("pending", "has the node", pod -> node.equals(pod.getSpec().getNodeName()));
    idleRunsOn(WHILE);
  }

  private void provide(String type, String delay) {
    cluster.apply(POOL.with("name", NAME).with("type", type).with("delay", delay));
    await("the NodePool is ready")
        .atMost(SOON)
        .until(() -> condition(nodePools().withName(NAME).require(), "Ready").equals("True"));
  }

  private Replica start(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("kubernetes.stale-after=5s");
    Replica replica =
        replicas.startAsShipped("reclaimer", prometheus, PACE, all.toArray(String[]::new));
    replica.awaitReady();
    return replica;
  }

  private GenericKubernetesResource awaitNodeClaim(String type) {
    return await("a NodeClaim is " + type)
        .atMost(SOON)
        .failFast(karpenter::requireRunning)
        .until(
            () ->
                nodeClaims().list().getItems().stream()
                    .filter(claim -> condition(claim, type).equals("True"))
                    .findAny(),
            Optional::isPresent)
        .orElseThrow();
  }

  private void awaitExplained(Replica replica, String words) {
    await("it is explained: " + words)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(replica.get("/explain/" + tenant.namespace() + "/pending").body())
                    .contains(words));
  }

  private void idleRunsOn(Duration time) {
    await("the idle pod is left alone")
        .during(time)
        .atMost(time.plusSeconds(10))
        .until(
            () ->
                tenant
                    .now("idle")
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .isPresent());
  }

  private void assertServedByReclaiming() {
    await("the idle pod is evicted")
        .atMost(SOON)
        .failFast(karpenter::requireRunning)
        .until(() -> tenant.history().of("idle").stream().anyMatch(PodHistory::isEvicted));
    assertThat(tenant.awaitReady("pending").getSpec().getNodeName())
        .isEqualTo(idle.getSpec().getNodeName());
  }

  /** As a kubelet reports it, and as an agent removes the startup taint. */
  private void becomesReady(String name) {
    Resource<Node> node = cluster.client().nodes().withName(name);
    node.editStatus(
        found ->
            new NodeBuilder(found)
                .editStatus()
                .removeMatchingFromConditions(each -> each.getType().equals("Ready"))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason("KubeletReady")
                .withMessage("")
                .withLastHeartbeatTime(now())
                .withLastTransitionTime(now())
                .endCondition()
                .endStatus()
                .build());
    node.edit(
        found ->
            new NodeBuilder(found)
                .editSpec()
                .removeMatchingFromTaints(each -> each.getKey().equals(STARTUP_TAINT))
                .endSpec()
                .build());
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private List<Event> eventsOfKarpenter() {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(tenant.namespace())
        .withField("involvedObject.name", "pending")
        .withField("source", "karpenter")
        .list()
        .getItems();
  }

  private static List<String> nodesOfKarpenter() {
    return cluster.client().nodes().withLabel("karpenter.sh/nodepool").list().getItems().stream()
        .map(node -> node.getMetadata().getName())
        .toList();
  }

  private static String condition(GenericKubernetesResource object, String type) {
    List<Map<String, Object>> conditions = object.get("status", "conditions");
    return Optional.ofNullable(conditions).orElse(List.of()).stream()
        .filter(each -> type.equals(each.get("type")))
        .map(each -> String.valueOf(each.get("status")))
        .findAny()
        .orElse("");
  }

  private static MixedOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      nodeClaims() {
    return cluster.client().genericKubernetesResources("karpenter.sh/v1", "NodeClaim");
  }

  private static MixedOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      nodePools() {
    return cluster.client().genericKubernetesResources("karpenter.sh/v1", "NodePool");
  }
}
