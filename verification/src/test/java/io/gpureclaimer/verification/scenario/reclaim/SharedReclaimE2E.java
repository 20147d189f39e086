package io.gpureclaimer.verification.scenario.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.verification.scenario.harness.InstalledAgents;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Prometheus;
import io.gpureclaimer.verification.scenario.harness.Reclaimer;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two pods with a replica of one GPU, and a pod that waits for one. */
@OnCluster
class SharedReclaimE2E {
  private static final Manifest POD = Manifest.beside(SharedReclaimE2E.class, "pod.yaml");
  private static final String WORKING = "[{gpu: 0, utilization: 85}]";
  private static final String IDLE = "[]";
  private static final String LABEL = "nvidia.com/gpu.replicas";
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration WHILE = Duration.ofSeconds(8);

  private static TestCluster cluster;
  private static InstalledAgents agents;
  private static Reclaimer reclaimer;

  private String namespace = "";

  @BeforeAll
  static void install(TestCluster shared) {
    cluster = shared;
    cluster.shares(2);
    label("\"2\"");
    agents = InstalledAgents.apply(cluster, IDLE);
    var prometheus = Prometheus.start(cluster, Prometheus.configuration());
    reclaimer = Reclaimer.apply(cluster, prometheus.address());
    agents.awaitReady();
    reclaimer.awaitReady();
  }

  @AfterAll
  static void takeLabelAway() {
    label("null");
  }

  @AfterEach
  void giveReplicasBack() {
    var pods = cluster.client().pods().inNamespace(namespace);
    pods.withGracePeriod(0).delete();
    await("replicas are free").atMost(SOON).until(() -> pods.list().getItems().isEmpty());
  }

  @Test
  void evictsOneOfThePodsThatShareAnIdleGpu_andNoneWhileItWorks() {
    namespace =
        cluster.namespace(
            "shared",
            Map.of(
                "gpu-reclaimer.io/mode", "on-demand",
                "gpu-reclaimer.io/idle-after", "8s",
                "gpu-reclaimer.io/warn-before", "4s"));
    List.of("first", "second").forEach(this::run);
    submit("waiting");

    Records.awaitStates(cluster, namespace, 1, "Evicted", SOON);
    cluster.awaitReady(namespace, "waiting");
    assertThat(Records.list(cluster, namespace))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.<String>get("status", "pendingPod"))
                  .isEqualTo(namespace + "/waiting");
              assertThat(record.<String>get("status", "resource"))
                  .isEqualTo("nvidia.com/gpu.shared");
            });

    agents.play(WORKING);
    String left =
        cluster.pods(namespace).stream()
            .map(pod -> pod.getMetadata().getName())
            .filter(name -> !name.equals("waiting"))
            .findFirst()
            .orElseThrow();
    awaitExplained(left, "by this pod or another one that shares its GPU");
    awaitExplained("waiting", "by this pod or another one that shares its GPU");
    submit("later");
    awaitExplained("later", "no idle workload");
    await("nothing is evicted")
        .during(WHILE)
        .atMost(SOON)
        .until(() -> cluster.pods(namespace).size() == 3);
    assertThat(Records.list(cluster, namespace)).hasSize(1);
  }

  /** As GPU feature discovery does where one GPU is two. */
  private static void label(String value) {
    TestCluster.merge(
        cluster.client().nodes().withName(cluster.node()),
        "{\"metadata\": {\"labels\": {\"" + LABEL + "\": " + value + "}}}");
  }

  private void submit(String name) {
    cluster.apply(POD.with("namespace", namespace).with("name", name));
  }

  private void run(String name) {
    submit(name);
    cluster.awaitReady(namespace, name);
  }

  private void awaitExplained(String pod, String reason) {
    await(pod + " is explained: " + reason)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(reclaimer.answers("/explain/" + namespace + "/" + pod))
                    .hasSize(2)
                    .allSatisfy(text -> assertThat(text).contains(reason)));
  }
}
