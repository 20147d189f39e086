package io.gpureclaimer.verification.scenario.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.Prometheus;
import io.gpureclaimer.verification.scenario.harness.Prometheus.ResultSeries;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attribution of devices that a real kubelet allocates to pods by claims. */
@OnCluster
class ClaimedMetricsE2E {
  private static final String MEMORY_USED = "DCGM_FI_DEV_FB_USED";
  private static final String SINCE = "gpu_pod_observed_since_timestamp_seconds";
  private static final Set<String> OF_HOLDER =
      Set.of("UUID", "GPU_I_PROFILE", "namespace", "pod", "container", "pod_uid");

  /** What we promise: until a label appears, and until it is gone. */
  private static final Duration PROMISE = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);

  private static TestCluster cluster;
  private static ClaimedNode node;
  private static Prometheus prometheus;

  private ClaimNamespace claimant;

  @BeforeAll
  static void install(TestCluster shared) {
    cluster = shared;
    node = ClaimedNode.install(cluster);
    prometheus = node.prometheus();
    within(PATIENCE, () -> assertThat(prometheus.ask("up == 1")).hasSize(1));
  }

  @BeforeEach
  void newNamespace() {
    claimant = new ClaimNamespace(cluster, cluster.namespace("research", Map.of()));
  }

  @AfterEach
  void giveDevicesBack() {
    var pods = cluster.client().pods().inNamespace(claimant.namespace());
    pods.delete();
    within(PATIENCE, () -> assertThat(pods.list().getItems()).isEmpty());
    within(PATIENCE, () -> assertThat(reported(MEMORY_USED)).isEmpty());
  }

  @Test
  void aClaimedGpuIsThePods_asLongAsItIsThere() {
    String gpu = node.gpu(1);
    claimant.claim("mine", ClaimNamespace.gpus(gpu));
    Pod pod = claimant.run("train", "mine");

    Map<String, String> held = holder(gpu, pod, claimed("mine", "gpu-1"));
    within(
        PROMISE,
        () -> {
          assertThat(reported(MEMORY_USED)).containsExactly(held);
          assertThat(reported(SINCE)).containsExactly(holder(gpu, pod, Map.of()));
        });
    assertThat(environment("train")).contains("DEVICE_GPU_1=" + gpu);

    cluster.client().pods().resource(pod).delete();
    within(PATIENCE, () -> assertThat(cluster.client().pods().resource(pod).get()).isNull());
    within(
        PROMISE,
        () -> {
          assertThat(reported(MEMORY_USED)).isEmpty();
          assertThat(prometheus.ask("{pod_uid=\"" + pod.getMetadata().getUid() + "\"}")).isEmpty();
        });
  }

  @Tag("nightly")
  @Test
  void everyPodOfATemplateHasItsOwn() {
    claimant.template("any", ClaimNamespace.gpus(node.gpu(1), node.gpu(2)));
    claimant.template("one", ClaimNamespace.gpus(node.gpu(3)));
    Pod two = claimant.runOwn("two", "any");
    Pod one = claimant.runOwn("one", "one");

    within(
        PROMISE,
        () ->
            assertThat(reported(MEMORY_USED))
                .containsExactlyInAnyOrder(
                    holder(node.gpu(1), two, claimed(madeFor(two), "gpu-1")),
                    holder(node.gpu(2), two, claimed(madeFor(two), "gpu-2")),
                    holder(node.gpu(3), one, claimed(madeFor(one), "gpu-3"))));
  }

  @Test
  void aClaimedInstanceIsThePods_andItsNeighborIsNot() {
    String instance = node.instance(1);
    claimant.template("part", ClaimNamespace.instance(instance));
    Pod pod = claimant.runOwn("notebook", "part");

    var claimed = new HashMap<>(claimed(madeFor(pod), "gpu-7-mig-1g10gb-19-1"));
    claimed.put("GPU_I_PROFILE", "1g.10gb");
    claimed.put("dra_mig_profile", "1g.10gb");
    claimed.put("dra_mig_device_uuid", instance);
    within(
        PROMISE,
        () -> {
          assertThat(reported(MEMORY_USED)).containsExactly(holder(node.gpu(7), pod, claimed));
          assertThat(reported(SINCE))
              .containsExactly(holder(node.gpu(7), pod, Map.of("GPU_I_PROFILE", "1g.10gb")));
        });
    assertThat(environment("notebook")).contains("DEVICE_GPU_7_MIG_1G10GB_19_1=" + instance);
  }

  @Tag("nightly")
  @Test
  void aGpuThatWasAskedForAsEver_andGivenByAClaim_isThePods() {
    Pod pod = claimant.runByName("legacy");

    within(
        PROMISE,
        () ->
            assertThat(reported(MEMORY_USED))
                .singleElement()
                .satisfies(
                    labels -> {
                      assertThat(labels)
                          .containsEntry("pod_uid", pod.getMetadata().getUid())
                          .containsEntry("container", "main")
                          .containsEntry("dra_pool_name", cluster.node());
                      assertThat(environment("legacy"))
                          .anyMatch(line -> line.endsWith("=" + labels.get("UUID")));
                    }));
  }

  @Tag("nightly")
  @Test
  void aGpuOfTwoContainersIsTheirPods() {
    String gpu = node.gpu(1);
    claimant.claim("ours", ClaimNamespace.gpus(gpu));
    Pod pod = claimant.runTwoContainers("pair", "ours");

    Map<String, String> held = new TreeMap<>(holder(gpu, pod, claimed("ours", "gpu-1")));
    held.remove("container");
    within(
        PROMISE,
        () -> {
          assertThat(reported(MEMORY_USED)).containsExactly(held);
          assertThat(reported(SINCE))
              .extracting(labels -> labels.get("container"))
              .containsExactlyInAnyOrder("left", "right");
        });
  }

  @Tag("nightly")
  @Test
  void aGpuWithAdminAccess_isAttributedToItsHolderOnly() {
    // Kubernetes gives admin access in such namespaces only.
    TestCluster.merge(
        cluster.client().namespaces().withName(claimant.namespace()),
        "{\"metadata\": {\"labels\": {\"resource.kubernetes.io/admin-access\": \"true\"}}}");
    claimant.claim("mine", ClaimNamespace.gpus(node.gpu(1)));
    claimant.claim("all", ClaimNamespace.adminAccess(node.gpu(1), node.gpu(3)));
    claimant.run("monitor", "all");
    assertThat(environment("monitor"))
        .contains("DEVICE_GPU_1=" + node.gpu(1), "DEVICE_GPU_3=" + node.gpu(3));
    Pod pod = claimant.run("train", "mine");

    Map<String, String> held = holder(node.gpu(1), pod, claimed("mine", "gpu-1"));
    within(
        PROMISE,
        () -> {
          assertThat(reported(MEMORY_USED)).containsExactly(held);
          assertThat(reported(SINCE)).containsExactly(holder(node.gpu(1), pod, Map.of()));
          assertThat(unmapped()).isZero();
          assertThat(prometheus.ask("{pod=\"monitor\"}")).isEmpty();
        });
  }

  /** Of a part that is made on demand the driver publishes no uuid. */
  @Tag("nightly")
  @Test
  void noHolderIsNamed_whereTheDriverDoesNotSayWhichDeviceItIs() {
    claimant.template("part", ClaimNamespace.part());
    claimant.runOwn("dynamic", "part");

    within(PROMISE, () -> assertThat(unmapped()).isOne());
    assertThat(reported(MEMORY_USED)).isEmpty();
    assertThat(reported(SINCE)).isEmpty();
  }

  /** A kubelet begins with removing all slices of its node; drivers publish them again. */
  @Tag("nightly")
  @Test
  void noOtherHolderIsNamed_whileTheKubeletRestarts_andObservationBeginsAgainAfterwards() {
    OwnCluster own = OwnCluster.orSkip();
    String gpu = node.gpu(1);
    claimant.claim("mine", ClaimNamespace.gpus(gpu));
    Pod pod = claimant.run("steady", "mine");
    within(PATIENCE, () -> assertThat(observedSince(pod)).isPresent());
    Instant before = observedSince(pod).orElseThrow();

    own.restartKubelet();

    Map<String, String> held = holder(gpu, pod, claimed("mine", "gpu-1"));
    await()
        .pollInterval(POLL)
        .atMost(PATIENCE)
        .failFast(
            "it is attributed to no other pod",
            () -> assertThat(reported(MEMORY_USED)).isSubsetOf(List.of(held)))
        .untilAsserted(() -> assertThat(observedAfter(before, pod)).isTrue());
    assertThat(reported(MEMORY_USED)).containsExactly(held);
    assertThat(find(pod).getStatus().getPhase()).isEqualTo("Running");
  }

  @Test
  void noHolderIsNamed_whileTheDriverIsGone_andObservationBeginsAgainAfterwards() {
    String gpu = node.gpu(1);
    claimant.claim("mine", ClaimNamespace.gpus(gpu));
    Pod pod = claimant.run("orphan", "mine");
    within(PATIENCE, () -> assertThat(observedSince(pod)).isPresent());
    Instant before = observedSince(pod).orElseThrow();

    node.driver().stop();
    try {
      within(
          PROMISE,
          () -> {
            assertThat(reported(MEMORY_USED)).isEmpty();
            assertThat(reported(SINCE)).isEmpty();
            assertThat(unmapped()).isOne();
          });
    } finally {
      node.driver().start();
    }

    Map<String, String> held = holder(gpu, pod, claimed("mine", "gpu-1"));
    within(PATIENCE, () -> assertThat(reported(MEMORY_USED)).containsExactly(held));
    within(PATIENCE, () -> assertThat(observedAfter(before, pod)).isTrue());
    assertThat(find(pod).getStatus().getPhase()).isEqualTo("Running");
  }

  private static void within(Duration time, ThrowingRunnable assertion) {
    await().pollDelay(Duration.ZERO).pollInterval(POLL).atMost(time).untilAsserted(assertion);
  }

  /** What the series of a metric say of holders, where they name a pod. */
  private static List<Map<String, String>> reported(String metric) {
    return prometheus.ask(metric + "{job=\"gpu-exporter\",pod!=\"\"}").stream()
        .map(series -> ofHolder(series.labels()))
        .toList();
  }

  private static Map<String, String> ofHolder(Map<String, String> labels) {
    var rest = new TreeMap<>(labels);
    rest.keySet().removeIf(name -> !OF_HOLDER.contains(name) && !name.startsWith("dra_"));
    return rest;
  }

  private static Map<String, String> holder(String gpu, Pod pod, Map<String, String> more) {
    var labels = new HashMap<>(more);
    labels.put("UUID", gpu);
    labels.put("namespace", pod.getMetadata().getNamespace());
    labels.put("pod", pod.getMetadata().getName());
    labels.put("container", "main");
    labels.put("pod_uid", pod.getMetadata().getUid());
    return Map.copyOf(labels);
  }

  private Map<String, String> claimed(String claim, String device) {
    return Map.of(
        "dra_claim_name",
        claim,
        "dra_claim_namespace",
        claimant.namespace(),
        "dra_driver_name",
        DraDriver.GPUS,
        "dra_pool_name",
        cluster.node(),
        "dra_device_name",
        device);
  }

  /** The claim that was made of the template. */
  private static String madeFor(Pod pod) {
    return pod.getStatus().getResourceClaimStatuses().getFirst().getResourceClaimName();
  }

  private static Optional<Instant> observedSince(Pod pod) {
    return prometheus.ask(SINCE + "{pod_uid=\"" + pod.getMetadata().getUid() + "\"}").stream()
        .map(ResultSeries::value)
        .map(seconds -> Instant.ofEpochMilli(Math.round(seconds * 1_000)))
        .findFirst();
  }

  private static boolean observedAfter(Instant before, Pod pod) {
    return observedSince(pod).filter(since -> since.isAfter(before)).isPresent();
  }

  private static Pod find(Pod pod) {
    return cluster.client().pods().resource(pod).require();
  }

  private static double unmapped() {
    return prometheus.ask("gpu_exporter_pod_resources_unmapped_devices").stream()
        .mapToDouble(ResultSeries::value)
        .sum();
  }

  private List<String> environment(String pod) {
    return cluster
        .client()
        .pods()
        .inNamespace(claimant.namespace())
        .withName(pod)
        .getLog()
        .lines()
        .toList();
  }
}
