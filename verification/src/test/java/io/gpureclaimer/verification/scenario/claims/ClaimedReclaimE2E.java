package io.gpureclaimer.verification.scenario.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.PodHistory;
import io.gpureclaimer.verification.scenario.harness.Reclaimer;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods with claimed devices, some at work and some not: which of them are evicted? */
@OnCluster
class ClaimedReclaimE2E {

  /** For a pod to be warned or evicted once it is time, and for a pod to start. */
  private static final Duration SOON = Duration.ofSeconds(90);

  private static TestCluster cluster;
  private static ClaimedNode node;
  private static Reclaimer reclaimer;

  private ClaimNamespace claimant;
  private PodHistory history;

  @BeforeAll
  static void install(TestCluster shared) {
    cluster = shared;
    node = ClaimedNode.install(cluster);
    Manifest cards = Manifest.beside(ClaimedReclaimE2E.class, "cards.yaml");
    DraDriver.start(cluster, "net.example.com", node.devices().in(cards));
    reclaimer = Reclaimer.apply(cluster, node.prometheus().address());
    reclaimer.awaitReady();
  }

  @BeforeEach
  void newNamespace() {
    claimant = new ClaimNamespace(cluster, cluster.namespace("research", Map.of()));
    history = new PodHistory(cluster.client(), claimant.namespace());
  }

  @AfterEach
  void giveDevicesBack() {
    var pods = cluster.client().pods().inNamespace(claimant.namespace());
    pods.delete();
    await("devices are free").atMost(SOON).until(() -> pods.list().getItems().isEmpty());
  }

  @Test
  void evictsTheIdlePod_whoseDeviceGoesToTheWaitingOne_andNeverOneThatWorks() {
    policy("always", "12s", "6s");
    claimant.template("busy", ClaimNamespace.gpus(node.gpu(0)));
    claimant.template("half", ClaimNamespace.gpus(node.gpu(2), node.gpu(3)));
    claimant.template("idle", ClaimNamespace.gpus(node.gpu(1)));
    Pod busy = claimant.runOwn("busy", "busy");
    Pod half = claimant.runOwn("half", "half");
    Pod idle = claimant.runOwn("idle", "idle");
    claimant.submitOwn("waiting", "idle");

    Instant actNotBefore = actNotBefore(history.awaitWarned("idle"));
    history.awaitEvicted("idle");

    assertThat(Instant.now()).isAfterOrEqualTo(actNotBefore);
    assertThat(messages(idle)).anyMatch(message -> message.contains("Claimed device idle for "));
    cluster.awaitReady(claimant.namespace(), "waiting");
    assertUntouched(busy);
    assertUntouched(half);
  }

  @Tag("nightly")
  @Test
  void evictsIdlePods_withAnInstance_andWithAGpuThatWasAskedForAsEver() {
    policy("always", "12s", "6s");
    claimant.claim("busy", ClaimNamespace.gpus(node.gpu(0), node.gpu(3)));
    claimant.template("part", ClaimNamespace.instance(node.instance(0)));
    Pod busy = claimant.run("busy", "busy");
    claimant.runOwn("instance", "part");
    claimant.runByName("legacy");

    history.awaitEvicted("instance");
    history.awaitEvicted("legacy");
    assertUntouched(busy);
  }

  @Tag("nightly")
  @Test
  void leavesPodsAlone_thatShareAClaim() {
    policy("always", "6s", "3s");
    claimant.claim("ours", ClaimNamespace.gpus(node.gpu(1)));
    Pod first = claimant.run("first", "ours");
    Pod second = claimant.run("second", "ours");

    String shared = "shares the resource claim " + claimant.namespace() + "/ours with other pods";
    awaitExplained("first", shared);
    awaitExplained("second", shared);
    stayAsTheyAre(Duration.ofSeconds(10), first, second);
    assertUntouched(first);
    assertUntouched(second);
  }

  @Tag("nightly")
  @Test
  void leavesPodsAlone_thatHoldWhatIsNoGpu() {
    policy("always", "6s", "3s");
    claimant.template("card", ClaimNamespace.card());
    claimant.claim("both", ClaimNamespace.gpus(node.gpu(1)), ClaimNamespace.card());
    Pod card = claimant.runOwn("card", "card");
    Pod both = claimant.run("both", "both");

    awaitExplained("both", "accelerators");
    stayAsTheyAre(Duration.ofSeconds(10), card, both);
    assertUntouched(card);
    assertUntouched(both);
    assertThat(reclaimer.answers("/plan"))
        .hasSize(2)
        .allSatisfy(
            plan ->
                assertThat(plan)
                    .contains(claimant.namespace() + "/both")
                    .doesNotContain(claimant.namespace() + "/card"));
  }

  @Tag("nightly")
  @Test
  void leavesPodsAlone_whoseClaimsShareADevice() {
    policy("always", "6s", "3s");
    claimant.template("share", ClaimNamespace.gpus(node.gpu(4)));
    Pod first = claimant.runOwn("first", "share");
    Pod second = claimant.runOwn("second", "share");

    stayAsTheyAre(Duration.ofSeconds(15), first, second);
    assertUntouched(first);
    assertUntouched(second);
    assertThat(explained("first")).isEmpty();
    assertThat(explained("second")).isEmpty();
  }

  @Tag("nightly")
  @Test
  void evictsTheIdlePod_andNeverAnObserverOfItsGpu() {
    policy("always", "12s", "6s");
    // Kubernetes gives admin access in such namespaces only.
    inNamespace("labels", Map.of("resource.kubernetes.io/admin-access", "true"));
    claimant.claim("mine", ClaimNamespace.gpus(node.gpu(1)));
    claimant.claim("busy", ClaimNamespace.gpus(node.gpu(0)));
    claimant.claim("all", ClaimNamespace.adminAccess(node.gpu(1)));
    Pod monitor = claimant.run("monitor", "all");
    Pod busy = claimant.run("busy", "busy");
    claimant.run("idle", "mine");

    history.awaitEvicted("idle");
    stayAsTheyAre(Duration.ofSeconds(20), monitor, busy);
    assertUntouched(monitor);
    assertUntouched(busy);
    assertThat(explained("monitor")).isEmpty();
  }

  @Test
  void evictsOnDemand_onlyThePodWhoseClaimRequestsTheSame() {
    policy("on-demand", "6s", "3s");
    claimant.template("idle", ClaimNamespace.gpus(node.gpu(1)));
    claimant.template("pair", ClaimNamespace.gpus(node.gpu(0), node.gpu(1)));
    Pod idle = claimant.runOwn("idle", "idle");
    claimant.submitOwn("different", "pair");

    awaitExplained("different", "cannot free 2 deviceclass.resource.kubernetes.io/gpu.");
    awaitExplained("idle", "may be reclaimed if a pending pod needs its GPUs, but not now");
    stayAsTheyAre(Duration.ofSeconds(12), idle);
    cluster.client().pods().inNamespace(claimant.namespace()).withName("different").delete();

    claimant.submitOwn("waiting", "idle");

    history.awaitEvicted("idle");
    cluster.awaitReady(claimant.namespace(), "waiting");
    await("the Event names the pending pod")
        .atMost(SOON)
        .until(
            () ->
                messages(idle).stream()
                    .anyMatch(
                        message -> message.contains("/waiting is pending for 1 deviceclass")));
  }

  /** The scheduler preempts no pod for them. */
  @Tag("nightly")
  @Test
  void evictsOnDemand_podsWithGpusThatWereAskedForAsEver() {
    policy("on-demand", "6s", "3s");
    claimant.template("busy", ClaimNamespace.gpus(node.gpu(0)));
    Pod busy = claimant.runOwn("busy", "busy");
    claimant.offerByName(node.gpu(1), node.gpu(2));
    try {
      Pod first = claimant.runByName("first");
      claimant.runByName("second");
      awaitExplained("first", "may be reclaimed if a pending pod needs its GPUs, but not now");
      awaitExplained("second", "may be reclaimed if a pending pod needs its GPUs, but not now");

      claimant.submitByName("waiting", 2);

      history.awaitEvicted("first");
      history.awaitEvicted("second");
      Pod served = cluster.awaitReady(claimant.namespace(), "waiting");
      await("the Events name the pods")
          .atMost(SOON)
          .untilAsserted(
              () -> {
                assertThat(messages(first))
                    .anySatisfy(text -> assertThat(text).contains("is pending for 2 GPUs"));
                assertThat(messages(served))
                    .anySatisfy(
                        text -> assertThat(text).startsWith("2 GPUs: to be reclaimed for it, on "));
              });
      assertUntouched(busy);
    } finally {
      claimant.offerAllByName();
    }
  }

  @Tag("nightly")
  @Test
  void knowsNothing_onceTheClaimIsGone_thoughThePodRunsOn() {
    policy("always", "25s", "20s");
    claimant.claim("mine", ClaimNamespace.gpus(node.gpu(1)));
    Pod idle = claimant.run("idle", "mine");
    history.awaitWarned("idle");

    claimant.claim("mine").delete();
    TestCluster.merge(claimant.claim("mine"), "{\"metadata\": {\"finalizers\": []}}");

    awaitExplained(
        "idle", "unknown: the resource claim " + claimant.namespace() + "/mine is not known");
    stayAsTheyAre(Duration.ofSeconds(30), idle);
  }

  @Test
  void knowsNothing_whileTheDriverIsGone() {
    policy("always", "75s", "70s");
    claimant.template("idle", ClaimNamespace.gpus(node.gpu(1)));
    Pod idle = claimant.runOwn("idle", "idle");
    Instant actNotBefore = actNotBefore(history.awaitWarned("idle"));

    node.driver().stop();
    try {
      awaitExplained("idle", "unknown: ");
      stayAsTheyAre(Duration.between(Instant.now(), actNotBefore).plusSeconds(15), idle);
      awaitExplained("idle", "unknown: ");
    } finally {
      node.driver().start();
    }

    awaitExplained("idle", "idle for");
    stayAsTheyAre(Duration.ofSeconds(5), idle);
  }

  /** Of five GPUs, two are claimed, one is divided, and one is requested as a resource. */
  @Tag("nightly")
  @Test
  void reportsDevicesAsFree_thatNoClaimHas() {
    policy("report", "1h", "1m");
    claimant.template("pair", ClaimNamespace.gpus(node.gpu(0), node.gpu(1)));
    claimant.template("part", ClaimNamespace.part());
    claimant.template("instance", ClaimNamespace.instance(node.instance(0)));
    claimant.runOwn("pair", "pair");
    claimant.runOwn("part", "part");
    claimant.runOwn("instance", "instance");
    claimant.runByName("legacy");

    String pool = "{pool=\"NVIDIA-H100-80GB-HBM3\",";
    await("free devices are counted")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(reclaimer.answers("/metrics"))
                    .hasSize(2)
                    .allSatisfy(
                        metrics ->
                            assertThat(metrics)
                                .contains("gpu_cluster_free_gpus" + pool + "} 1.0")
                                .contains(
                                    "gpu_cluster_free_mig_devices"
                                        + pool
                                        + "profile=\"1g.10gb\",} 1.0")
                                .contains("gpu_cluster_stranded_gpus" + pool + "shape=\"2\",} 1.0")
                                .contains(
                                    "gpu_cluster_stranded_gpus" + pool + "shape=\"1\",} 0.0")));
  }

  private void policy(String mode, String idleAfter, String warnBefore) {
    inNamespace(
        "annotations",
        Map.of(
            Annotations.MODE,
            mode,
            "gpu-reclaimer.io/idle-after",
            idleAfter,
            "gpu-reclaimer.io/warn-before",
            warnBefore));
  }

  private void inNamespace(String field, Map<String, String> entries) {
    TestCluster.merge(
        cluster.client().namespaces().withName(claimant.namespace()),
        Serialization.asJson(Map.of("metadata", Map.of(field, entries))));
  }

  private static Instant actNotBefore(Pod warned) {
    return Instant.parse(warned.getMetadata().getAnnotations().get(Annotations.ACT_NOT_BEFORE));
  }

  private void awaitExplained(String pod, String reason) {
    await(pod + " is explained: " + reason)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(explained(pod))
                    .hasSize(2)
                    .allSatisfy(text -> assertThat(text).contains(reason)));
  }

  /** What each replica says of it; nothing where it is no pod with GPUs. */
  private List<String> explained(String pod) {
    return reclaimer.answers("/explain/" + claimant.namespace() + "/" + pod);
  }

  private static void stayAsTheyAre(Duration time, Pod... pods) {
    await("all run on for " + time)
        .during(time)
        .atMost(time.plusSeconds(5))
        .untilAsserted(
            () -> assertThat(pods).allSatisfy(pod -> assertThat(deletion(pod)).isNull()));
  }

  private static String deletion(Pod pod) {
    return cluster.client().pods().resource(pod).require().getMetadata().getDeletionTimestamp();
  }

  /** What people read of us on this very pod. */
  private List<String> messages(Pod pod) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(claimant.namespace())
        .list()
        .getItems()
        .stream()
        .filter(event -> pod.getMetadata().getUid().equals(event.getInvolvedObject().getUid()))
        .filter(event -> "gpu-reclaimer".equals(event.getSource().getComponent()))
        .map(Event::getMessage)
        .toList();
  }

  /** The same pod, without a warning and without an Event. */
  private void assertUntouched(Pod pod) {
    assertThat(deletion(pod)).isNull();
    assertThat(history.of(pod.getMetadata().getName()))
        .isNotEmpty()
        .allSatisfy(
            version ->
                assertThat(version.getMetadata().getAnnotations().keySet())
                    .noneMatch(key -> key.startsWith("gpu-reclaimer.io/")));
    assertThat(messages(pod)).isEmpty();
  }
}
