package io.gpureclaimer.verification.scenario.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.gpureclaimer.common.vocabulary.ResourceNames;
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
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A pending pod that requests MIG devices or replicas, on a real scheduler: a pod with such devices
 * is evicted for it, and no other one.
 */
@OnCluster
@Tag("nightly")
class DeviceDemandE2E {
  private static final Path FOLDER =
      Path.of("src/test/java/io/gpureclaimer/verification/scenario/deviceplugin");
  private static final Manifest POD = Manifest.beside(DeviceDemandE2E.class, "pod.yaml");

  /** Of this profile the simulated cards have one instance, of the other one two. */
  private static final String SINGLE = "nvidia.com/mig-2g.20gb";

  private static final String DOUBLE = "nvidia.com/mig-3g.40gb";
  private static final ShortIntervals INTERVALS =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration WHILE = Duration.ofSeconds(8);

  private TestCluster cluster;
  private Replicas replicas;
  private StubPrometheus prometheus;

  /** Before each test, so that its agents and reclaimer end with it. */
  @BeforeEach
  void begin(TestCluster own, Replicas replicas) {
    this.cluster = own;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @Test
  void evictsThePodWithAMigDeviceOfTheProfile_whichThePendingOneGets() {
    installAgents("mig-values.yaml", Map.of(SINGLE, 1, DOUBLE, 2));
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
    submit(namespace, "pending", SINGLE, 1);

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

  @Test
  void evictsThePodWithMigDevices_thatAreNamedGpus() {
    installAgents("mig-single-values.yaml", Map.of(ResourceNames.GPU, 56));
    evictsTheIdlePod(ResourceNames.GPU, 50, 6, 40);
  }

  @Test
  void evictsThePodWithSeveralReplicas() {
    installAgents("shared-values.yaml", Map.of(ResourceNames.SHARED_GPU, 16));
    evictsTheIdlePod(ResourceNames.SHARED_GPU, 8, 8, 6);
  }

  /** Two pods have all devices of a resource, one of them is idle, and a third needs some. */
  private void evictsTheIdlePod(String resource, int idle, int working, int pending) {
    String namespace = TestNamespace.withMode(cluster, "on-demand").namespace();
    prometheus.showsIdle(run(namespace, "idle", resource, idle));
    Pod busy = run(namespace, "working", resource, working);
    prometheus.showsBusy(busy);
    Replica _ =
        replicas.startAsShipped("reclaimer", prometheus, INTERVALS, "plan.pending-grace=1s");

    submit(namespace, "pending", resource, pending);

    Records.awaitStates(cluster, namespace, 1, "Evicted", SOON);
    Pod served = cluster.awaitReady(namespace, "pending");
    assertThat(served.getStatus().getPhase()).isEqualTo("Running");
    assertThat(Records.list(cluster, namespace).getFirst().<String>get("status", "workload"))
        .isEqualTo("Pod/idle");
    assertThat(messages(namespace, "idle"))
        .anySatisfy(
            message ->
                assertThat(message)
                    .contains("Pod " + namespace + "/pending is pending for " + pending + " "));
    assertThat(uid(namespace, "working")).isEqualTo(busy.getMetadata().getUid());
  }

  /**
   * Installs agents that offer devices.
   *
   * @param offered how many, by resource
   */
  private void installAgents(String values, Map<String, Integer> offered) {
    String agents = cluster.namespace("device-plugin", Map.of());
    cluster.apply(Manifest.beside(DeviceDemandE2E.class, "driver.yaml").with("namespace", agents));
    cluster.awaitReady(agents, "driver");
    Chart.objects(FOLDER.resolve(values)).forEach(object -> cluster.apply(in(agents, object)));
    await("the node offers devices")
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
                    .containsAllEntriesOf(quantities(offered)));
  }

  private static Map<String, Quantity> quantities(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .collect(Collectors.toMap(Entry::getKey, each -> new Quantity(each.getValue().toString())));
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
    return run(namespace, name, resource, 1);
  }

  private Pod run(String namespace, String name, String resource, int count) {
    submit(namespace, name, resource, count);
    return cluster.awaitReady(namespace, name);
  }

  private void submit(String namespace, String name, String resource, int count) {
    cluster.apply(
        POD.with("name", name)
            .with("namespace", namespace)
            .with("limits", "{" + resource + ": " + count + "}"));
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
