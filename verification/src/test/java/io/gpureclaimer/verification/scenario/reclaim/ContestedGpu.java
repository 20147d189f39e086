package io.gpureclaimer.verification.scenario.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.PodHistory;
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

/**
 * One GPU, the pod {@code idle} that has it, and the pod {@code pending}, for which an autoscaler
 * may add a node. Confined to the thread of the test.
 */
final class ContestedGpu {
  static final Duration SOON = Duration.ofMinutes(2);
  static final Duration WHILE = Duration.ofSeconds(15);

  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(4), Duration.ofSeconds(2));

  private final TestCluster cluster;
  private final Replicas replicas;
  private final NodeProcess autoscaler;
  private final TestNamespace tenant;
  private final StubPrometheus prometheus;
  private final Pod idle;

  ContestedGpu(TestCluster cluster, Replicas replicas, NodeProcess autoscaler) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.autoscaler = autoscaler;
    this.tenant = TestNamespace.withMode(cluster, "on-demand");
    this.prometheus = replicas.prometheus();
    cluster.gpus(1);
    idle = tenant.start("idle");
    prometheus.showsIdle(idle);
  }

  TestNamespace tenant() {
    return tenant;
  }

  /** Starts the reclaimer. */
  Replica reclaim(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("kubernetes.stale-after=5s");
    Replica replica =
        replicas.startAsShipped("reclaimer", prometheus, PACE, all.toArray(String[]::new));
    replica.awaitReady();
    return replica;
  }

  void awaitExplained(Replica replica, String words) {
    await("it is explained: " + words)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(replica.get("/explain/" + tenant.namespace() + "/pending").body())
                    .contains(words));
  }

  void assertIdleRuns() {
    await("the idle pod is left alone")
        .during(WHILE)
        .atMost(WHILE.plusSeconds(10))
        .until(
            () ->
                tenant
                    .now("idle")
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .isPresent());
  }

  void assertServedByReclaiming() {
    await("the idle pod is evicted")
        .atMost(SOON)
        .failFast(autoscaler::requireRunning)
        .until(() -> tenant.history().of("idle").stream().anyMatch(PodHistory::isEvicted));
    assertThat(tenant.awaitReady("pending").getSpec().getNodeName())
        .isEqualTo(idle.getSpec().getNodeName());
  }

  void assertEvictedAfter(Instant earliest) {
    Pod evicted = tenant.history().awaitEvicted("idle");
    assertThat(Instant.parse(evicted.getMetadata().getDeletionTimestamp()))
        .isAfterOrEqualTo(earliest);
  }

  void assertServedBy(String node) {
    tenant
        .history()
        .await("pending", "has the node", pod -> node.equals(pod.getSpec().getNodeName()));
    assertIdleRuns();
  }

  /** What a component has said about a pod. */
  List<Event> events(String pod, String component) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(tenant.namespace())
        .withField("involvedObject.name", pod)
        .withField("source", component)
        .list()
        .getItems();
  }

  /** As a kubelet reports it. */
  void becomesReady(String name) {
    node(name)
        .editStatus(
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
  }

  /** As an agent does once it runs. */
  void removeTaint(String name, String key) {
    node(name)
        .edit(
            found ->
                new NodeBuilder(found)
                    .editSpec()
                    .removeMatchingFromTaints(each -> each.getKey().equals(key))
                    .endSpec()
                    .build());
  }

  private Resource<Node> node(String name) {
    return cluster.client().nodes().withName(name);
  }

  /** Deletes all pods, before the autoscaler adds nodes for them again. */
  void deletePods() {
    var pods = cluster.client().pods().inNamespace(tenant.namespace());
    pods.withGracePeriod(0).delete();
    await("no pod is left").atMost(SOON).until(() -> pods.list().getItems().isEmpty());
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
