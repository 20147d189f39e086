package io.gpureclaimer.verification.scenario.reclaim;

import static io.gpureclaimer.verification.scenario.reclaim.ContestedGpu.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.RealController;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Instant;
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
  private static final String NAME = "scenario";
  private static final String GPU = "gpu.large";
  private static final String STARTUP_TAINT = "example.com/agent-not-ready";

  private static TestCluster cluster;
  private static NodeProcess karpenter;

  private ContestedGpu scene;

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
    scene = new ContestedGpu(cluster, replicas, karpenter);
  }

  /** While Karpenter still removes its finalizers; pods first, or it creates NodeClaims again. */
  @AfterEach
  void removeNodes() {
    scene.deletePods();
    nodePools().delete();
    await("no node of Karpenter is left")
        .atMost(SOON)
        .until(() -> nodeClaims().list().getItems().isEmpty() && nodesOfKarpenter().isEmpty());
  }

  @Test
  void waitsForAnAnnouncedNode_untilItsNodeClaimIsDeleted() {
    provide(GPU, "1h");
    Replica replica = scene.reclaim("plan.pending-grace=10s");

    scene.tenant().create("pending", Map.of());

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
    scene.awaitExplained(replica, "served-by-others: Karpenter announced a node for it at ");
    scene.assertIdleRuns();

    nodePools().delete();
    await("its NodeClaim is deleted")
        .atMost(SOON)
        .until(() -> nodeClaims().list().getItems().isEmpty());

    scene.assertServedByReclaiming();
    assertThat(eventsOfKarpenter()).extracting(Event::getReason).containsOnly("Nominated");
  }

  @Test
  void servesThePod_onceKarpenterCanNoLongerProvideTheNode() {
    provide(GPU, "1h");
    Replica replica = scene.reclaim("plan.pending-grace=10s");
    scene.tenant().create("pending", Map.of());
    awaitNodeClaim("Launched");
    scene.awaitExplained(replica, "served-by-others: Karpenter announced a node for it at ");

    TestCluster.merge(nodePools().withName(NAME), "{\"spec\":{\"limits\":{\"nvidia.com/gpu\":0}}}");
    nodeClaims().delete();

    scene.assertServedByReclaiming();
    assertThat(eventsOfKarpenter())
        .extracting(Event::getReason)
        .containsOnly("Nominated", "FailedScheduling");
  }

  @Test
  void servesThePod_whenTheNodeDoesNotComeInTime() {
    provide(GPU, "1h");
    scene.reclaim("plan.pending-grace=5s", "plan.wait-for-others=40s");

    scene.tenant().create("pending", Map.of());

    GenericKubernetesResource claim = awaitNodeClaim("Launched");
    scene.assertServedByReclaiming();
    Instant created = Instant.parse(claim.getMetadata().getCreationTimestamp());
    scene.assertEvictedAfter(created.plusSeconds(40));
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
    scene.reclaim("plan.pending-grace=5s");

    scene.tenant().create("pending", Map.of());

    scene.assertServedByReclaiming();
    assertThat(eventsOfKarpenter()).extracting(Event::getReason).containsOnly("FailedScheduling");
    assertThat(nodeClaims().list().getItems()).isEmpty();
  }

  @Test
  void leavesThePodToANodeThatRegisters_andBecomesReadyLater() {
    provide(GPU, "0s");
    Replica replica = scene.reclaim("plan.pending-grace=5s");
    scene.tenant().create("pending", Map.of());

    String node = awaitNodeClaim("Registered").get("status", "nodeName");
    scene.awaitExplained(replica, "served-by-others: Karpenter announced a node for it at ");
    scene.assertIdleRuns();

    scene.becomesReady(node);
    scene.removeTaint(node, STARTUP_TAINT);
    awaitNodeClaim("Initialized");
    scene.assertServedBy(node);
  }

  private void provide(String type, String delay) {
    cluster.apply(POOL.with("name", NAME).with("type", type).with("delay", delay));
    await("the NodePool is ready")
        .atMost(SOON)
        .until(() -> condition(nodePools().withName(NAME).require(), "Ready").equals("True"));
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

  private List<Event> eventsOfKarpenter() {
    return scene.events("pending", "karpenter");
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
