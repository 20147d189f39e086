package io.gpureclaimer.verification.scenario.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A pending pod that requests a MIG instance on a real scheduler: a pod with an instance of that
 * profile is evicted for it, and no other one.
 */
@OnCluster
@Tag("nightly")
class MigDemandE2E {
  private static final Path VALUES =
      Path.of("src/test/java/io/gpureclaimer/verification/scenario/deviceplugin/mig-values.yaml");
  private static final Manifest POD = Manifest.beside(MigDemandE2E.class, "pod.yaml");

  /** Of this profile the simulated cards have one instance, of the other one two. */
  private static final String SINGLE = "nvidia.com/mig-2g.20gb";

  private static final String DOUBLE = "nvidia.com/mig-3g.40gb";
  private static final ShortIntervals INTERVALS =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration WHILE = Duration.ofSeconds(8);

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;

  MigDemandE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @Test
  void evictsThePodWithAnInstanceOfTheProfile_whichThePendingOneGets() {
    installAgents();
    String namespace = TestNamespace.withMode(cluster, "on-demand").namespace();
    Pod idle = run(namespace, "idle", SINGLE);
    Pod other = run(namespace, "other", DOUBLE);
    List.of(idle, other).forEach(prometheus::showsIdle);
    Replica replica =
        replicas.startAsShipped("reclaimer", prometheus, INTERVALS, "plan.pending-grace=1s");
    await("both are idle")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(List.of("idle", "other"))
                    .allSatisfy(
                        name ->
                            assertThat(explanation(replica, namespace, name))
                                .contains("but not now: no pod is pending for GPUs alone")));

    // One of two instances is free, so this pod needs none of another pod.
    run(namespace, "second", DOUBLE);
    await("nothing is evicted")
        .during(WHILE)
        .atMost(SOON)
        .until(() -> cluster.pods(namespace).size() == 3);
    submit(namespace, "pending", SINGLE);

    Records.awaitStates(cluster, namespace, 1, "Evicted", SOON);
    Pod served = cluster.awaitReady(namespace, "pending");
    assertThat(served.getStatus().getPhase()).isEqualTo("Running");
    assertThat(Records.list(cluster, namespace).getFirst().<String>get("status", "workload"))
        .isEqualTo("Pod/idle");
    assertThat(messages(namespace, "idle"))
        .anySatisfy(
            message ->
                assertThat(message)
                    .contains("Pod " + namespace + "/pending is pending for 1 " + SINGLE + "."));
    assertThat(messages(namespace, "pending"))
        .contains(
            "1 "
                + SINGLE
                + ": to be reclaimed for it, on "
                + cluster.node()
                + ": Pod "
                + namespace
                + "/idle.");
    assertThat(uid(namespace, "other")).isEqualTo(other.getMetadata().getUid());
  }

  private void installAgents() {
    String agents = cluster.namespace("device-plugin", Map.of());
    cluster.apply(Manifest.beside(MigDemandE2E.class, "driver.yaml").with("namespace", agents));
    cluster.awaitReady(agents, "driver");
    Chart.objects(VALUES).forEach(object -> cluster.apply(in(agents, object)));
    await("the node offers MIG instances")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .client()
                            .nodes()
                            .withName(cluster.node())
                            .require()
                            .getStatus()
                            .getAllocatable())
                    .containsEntry(SINGLE, new Quantity("1"))
                    .containsEntry(DOUBLE, new Quantity("2")));
  }

  private static HasMetadata in(String namespace, HasMetadata object) {
    if (object.getMetadata().getNamespace() != null) {
      object.getMetadata().setNamespace(namespace);
    }
    if (object instanceof ClusterRoleBinding binding) {
      binding.getSubjects().forEach(subject -> subject.setNamespace(namespace));
    }
    return object;
  }

  private Pod run(String namespace, String name, String resource) {
    submit(namespace, name, resource);
    return cluster.awaitReady(namespace, name);
  }

  private void submit(String namespace, String name, String resource) {
    cluster.apply(
        POD.with("name", name)
            .with("namespace", namespace)
            .with("limits", "{" + resource + ": 1}"));
  }

  private static String explanation(Replica replica, String namespace, String name) {
    return replica.get("/explain/" + namespace + "/" + name).body();
  }

  private List<String> messages(String namespace, String pod) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(namespace)
        .withField("involvedObject.name", pod)
        .withField("source", "gpu-reclaimer")
        .list()
        .getItems()
        .stream()
        .map(Event::getMessage)
        .toList();
  }

  private String uid(String namespace, String pod) {
    return cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withName(pod)
        .require()
        .getMetadata()
        .getUid();
  }
}
