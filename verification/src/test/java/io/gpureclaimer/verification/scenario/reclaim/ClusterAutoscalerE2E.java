package io.gpureclaimer.verification.scenario.reclaim;

import static io.gpureclaimer.verification.scenario.reclaim.ContestedGpu.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One GPU, an idle pod that has it, and a pending pod for which the real Cluster Autoscaler may add
 * a node. Its cloud provider of KWOK creates Node objects without machines.
 */
@OnCluster
@Tag("nightly")
class ClusterAutoscalerE2E {
  private static final Manifest POD =
      Manifest.beside(ClusterAutoscalerE2E.class, "autoscaled.yaml");
  private static final Manifest REQUEST =
      Manifest.beside(ClusterAutoscalerE2E.class, "provisioning.yaml");

  /** Cluster Autoscaler leaves GPU pods alone for their first 30 s. */
  private static final String GRACE = "plan.pending-grace=45s";

  private static final String CONSUMES =
      "autoscaling.x-k8s.io/consume-provisioning-request: scenario";
  private static final String ANNOUNCED =
      "served-by-others: Cluster Autoscaler announced a node for it at ";
  private static final String PROVISIONED =
      "served-by-others: ProvisioningRequest scenario announced a node for it at ";

  private static TestCluster cluster;
  private static NodeProcess autoscaler;

  private ContestedGpu scene;

  @BeforeAll
  static void startAutoscaler(TestCluster shared) {
    cluster = shared;
    autoscaler = RealController.start(cluster, "cluster-autoscaler");
  }

  @AfterAll
  static void stopAutoscaler() {
    autoscaler.close();
    cluster
        .client()
        .configMaps()
        .inNamespace("kube-system")
        .withName("cluster-autoscaler-status")
        .delete();
  }

  @BeforeEach
  void fillTheNode(Replicas replicas) {
    scene = new ContestedGpu(cluster, replicas, autoscaler);
  }

  @AfterEach
  void removeNodes() {
    scene.deletePods();
    requests().delete();
    nodes().delete();
    await("no node of Cluster Autoscaler is left")
        .atMost(SOON)
        .until(() -> nodes().list().getItems().isEmpty());
  }

  @Test
  void leavesThePodToTheNodeOfATriggeredScaleUp() {
    Replica replica = scene.reclaim(GRACE);

    create("pending", "large", "");

    String node = awaitNode();
    scene.awaitExplained(replica, ANNOUNCED);
    scene.assertIdleRuns();
    scene.becomesReady(node);
    scene.assertServedBy(node);
    assertThat(reasons()).containsOnly("TriggeredScaleUp");
  }

  @Test
  void servesThePod_whenTheNodeDoesNotComeInTime() {
    scene.reclaim(GRACE, "plan.wait-for-others=30s");

    create("pending", "slow", "");

    awaitNode();
    scene.assertServedByReclaiming();
    Event triggered = events().getFirst();
    assertThat(triggered.getReason()).isEqualTo("TriggeredScaleUp");
    scene.assertEvictedAfter(Instant.parse(triggered.getFirstTimestamp()).plusSeconds(30));
  }

  @Test
  void servesThePod_onceTheNodeIsGone_afterTheScaleUpFailed() {
    Replica replica = scene.reclaim(GRACE);

    create("pending", "late", "");

    awaitNode();
    scene.awaitExplained(replica, ANNOUNCED);
    Instant triggered = Instant.parse(events().getFirst().getFirstTimestamp());
    await("the scale-up has failed").atMost(SOON).until(() -> isAbandoned("late", triggered));
    scene.assertIdleRuns();
    nodes().delete();
    scene.assertServedByReclaiming();
    assertThat(reasons()).containsExactlyInAnyOrder("TriggeredScaleUp", "NotTriggerScaleUp");
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, Insufficient nvidia.com/gpu",
    "full, max node group size reached",
    "broken, in backoff after failed scale-up"
  })
  void doesNotWait_whenItCannotAddANode(String group, String why) {
    scene.reclaim(GRACE);

    create("pending", group, "");

    scene.assertServedByReclaiming();
    assertThat(nodes().list().getItems()).isEmpty();
    assertThat(events())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getReason()).isEqualTo("NotTriggerScaleUp");
              assertThat(event.getMessage()).contains(why);
            });
  }

  @Test
  void leavesThePodToTheNodeOfAnother_aboutWhichClusterAutoscalerSaysNothing() {
    Replica replica = scene.reclaim(GRACE);
    create("first", "shared", "");
    String node = awaitNode();
    await("it is announced")
        .atMost(SOON)
        .until(() -> !scene.events("first", "cluster-autoscaler").isEmpty());

    create("pending", "shared", "");

    scene.awaitExplained(
        replica, "served-by-others: Cluster Autoscaler announced a node for pod first at ");
    scene.assertIdleRuns();
    scene.becomesReady(node);
    scene.assertServedBy(node);
    assertThat(events()).isEmpty();
  }

  @Test
  void leavesThePodToItsProvisioningRequest_upToTheLimit() {
    Replica replica = scene.reclaim("plan.pending-grace=5s", "plan.wait-for-others=40s");
    request("best-effort-atomic-scale-up", "booked", "");
    awaitNode();

    create("pending", "booked", CONSUMES);

    scene.awaitExplained(replica, PROVISIONED);
    Map<String, Object> provisioned = condition("Provisioned").orElseThrow();
    assertThat(provisioned).containsEntry("reason", "CapacityIsProvisioned");
    scene.assertServedByReclaiming();
    scene.assertEvictedAfter(
        Instant.parse(String.valueOf(provisioned.get("lastTransitionTime"))).plusSeconds(40));
  }

  @ParameterizedTest
  @CsvSource({
    "best-effort-atomic-scale-up, '', Provisioned, False",
    "check-capacity, '', Provisioned, False",
    "check-capacity, 'noRetry: \"true\"', Failed, True"
  })
  void servesThePod_whenItsProvisioningRequestFindsNoCapacity(
      String type, String parameters, String condition, String status) {
    request(type, "full", parameters);
    await("it is tried")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(condition(condition))
                    .hasValueSatisfying(
                        found ->
                            assertThat(found)
                                .containsEntry("status", status)
                                .containsEntry("reason", "CapacityIsNotFound")));
    scene.reclaim("plan.pending-grace=5s");

    create("pending", "full", CONSUMES);

    scene.assertServedByReclaiming();
  }

  private void create(String name, String group, String annotations) {
    cluster.apply(
        POD.with("namespace", scene.tenant().namespace())
            .with("name", name)
            .with("group", group)
            .with("annotations", annotations));
  }

  private void request(String type, String group, String parameters) {
    cluster.apply(
        REQUEST
            .with("namespace", scene.tenant().namespace())
            .with("class", type)
            .with("group", group)
            .with("parameters", parameters));
  }

  private String awaitNode() {
    return await("Cluster Autoscaler adds a node")
        .atMost(SOON)
        .failFast(autoscaler::requireRunning)
        .until(() -> nodes().list().getItems().stream().findAny(), Optional::isPresent)
        .orElseThrow()
        .getMetadata()
        .getName();
  }

  private List<Event> events() {
    return scene.events("pending", "cluster-autoscaler");
  }

  private List<String> reasons() {
    return events().stream().map(Event::getReason).toList();
  }

  private static boolean isAbandoned(String group, Instant since) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace("kube-system")
        .withField("reason", "ScaleUpTimedOut")
        .list()
        .getItems()
        .stream()
        .filter(event -> event.getMessage().contains(group))
        .anyMatch(event -> Instant.parse(event.getLastTimestamp()).isAfter(since));
  }

  private Optional<Map<String, Object>> condition(String type) {
    List<Map<String, Object>> conditions =
        requests().withName("scenario").require().get("status", "conditions");
    return Optional.ofNullable(conditions).orElse(List.of()).stream()
        .filter(each -> type.equals(each.get("type")))
        .findAny();
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      requests() {
    return cluster
        .client()
        .genericKubernetesResources("autoscaling.x-k8s.io/v1", "ProvisioningRequest")
        .inNamespace(scene.tenant().namespace());
  }

  private static FilterWatchListDeletable<Node, NodeList, Resource<Node>> nodes() {
    return cluster.client().nodes().withLabel("example.com/group");
  }
}
