package io.gpureclaimer.verification.scenario.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.verification.scenario.harness.InstalledAgents;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Prometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two pods on one GPU, the labels of pods, and a series for each share. */
@OnCluster
class SharedMetricsE2E {
  private static final Manifest POD = Manifest.beside(SharedMetricsE2E.class, "labeled.yaml");

  /** No other scenario offers as many, so that what is offered is surely this. */
  private static final int SHARES = 3;

  private static final Duration PROMISE = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(100);

  private static TestCluster cluster;
  private static String gpu;
  private static InstalledAgents agents;
  private static Prometheus prometheus;

  private String namespace = "";

  @BeforeAll
  static void install(TestCluster shared) {
    cluster = shared;
    gpu = cluster.shares(SHARES);
    agents =
        InstalledAgents.apply(
            cluster,
            "[]",
            Map.of(
                "KUBERNETES_VIRTUAL_GPUS", "true",
                "DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS", "true",
                "DCGM_EXPORTER_KUBERNETES_POD_LABEL_ALLOWLIST_REGEX", "^app$,^team"));
    prometheus = Prometheus.start(cluster, Prometheus.configuration());
    agents.awaitReady();
    await().atMost(PATIENCE).until(() -> prometheus.ask("up == 1").size() == 1);
  }

  @BeforeEach
  void newNamespace() {
    namespace = cluster.namespace("research", Map.of());
  }

  @AfterEach
  void giveSharesBack() {
    var pods = cluster.client().pods().inNamespace(namespace);
    pods.withGracePeriod(0).delete();
    within(PATIENCE, () -> assertThat(pods.list().getItems()).isEmpty());
    within(PATIENCE, () -> assertThat(holders("DCGM_FI_DEV_GPU_TEMP")).containsExactly(Map.of()));
  }

  @Test
  void eachShareHasASeries_withUidAndAllowedLabelsOfItsPod() {
    Pod first = run("first");
    Pod second = run("second");

    within(
        PROMISE,
        () ->
            assertThat(holders("DCGM_FI_DEV_GPU_TEMP"))
                .containsExactlyInAnyOrder(
                    holder(first, "first", "0"), holder(second, "second", "1")));
  }

  /** The fake driver has no processes, so the use of each pod is unknown. */
  @Test
  void whatCountsTwiceIsReportedOnce_andNamesNoHolder() {
    run("first");
    run("second");
    within(PROMISE, () -> assertThat(holders("DCGM_FI_DEV_GPU_TEMP")).hasSize(2));

    assertThat(holders("DCGM_FI_DEV_GPU_UTIL")).containsExactly(Map.of());
    assertThat(holders("DCGM_FI_DEV_FB_USED")).containsExactly(Map.of());
  }

  @Test
  void aLabelThatChangesIsFollowed_withinTenSeconds() {
    Pod pod = run("first");
    within(
        PROMISE,
        () ->
            assertThat(holders("DCGM_FI_DEV_GPU_TEMP")).containsExactly(holder(pod, "first", "0")));

    TestCluster.merge(
        cluster.client().pods().resource(pod),
        "{\"metadata\": {\"labels\": {\"app\": \"renamed\"}}}");

    within(
        PROMISE,
        () ->
            assertThat(holders("DCGM_FI_DEV_GPU_TEMP"))
                .containsExactly(holder(pod, "renamed", "0")));
  }

  private Pod run(String name) {
    cluster.apply(POD.with("namespace", namespace).with("name", name));
    return cluster.awaitReady(namespace, name);
  }

  private static Map<String, String> holder(Pod pod, String app, String share) {
    return Map.of(
        "app",
        app,
        "team_example_name",
        "vision",
        "container",
        "main",
        "namespace",
        pod.getMetadata().getNamespace(),
        "pod",
        pod.getMetadata().getName(),
        "pod_uid",
        pod.getMetadata().getUid(),
        "vgpu",
        share);
  }

  /** What the shared GPU's series of a metric say beside what is the GPU's and Prometheus's. */
  private static List<Map<String, String>> holders(String metric) {
    return prometheus.ask(metric + "{UUID=\"" + gpu + "\"}").stream()
        .map(series -> withoutTheGpus(series.labels()))
        .toList();
  }

  private static Map<String, String> withoutTheGpus(Map<String, String> labels) {
    var rest = new TreeMap<>(labels);
    rest.keySet()
        .removeAll(
            List.of(
                "__name__",
                "gpu",
                "UUID",
                "pci_bus_id",
                "device",
                "modelName",
                "hostname",
                "DCGM_FI_DRIVER_VERSION",
                "instance",
                "job",
                "node"));
    return rest;
  }

  private static void within(Duration time, ThrowingRunnable assertion) {
    await().pollInterval(POLL).atMost(time).untilAsserted(assertion);
  }
}
