package io.gpureclaimer.verification.scenario.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.verification.scenario.harness.InstalledAgents;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Prometheus;
import io.gpureclaimer.verification.scenario.harness.Reclaimer;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two GPUs, one at work and one not, and a pod that waits: the idle one is taken, and given. */
@OnCluster
class ReclaimE2E {
  private static final Manifest POD = Manifest.beside(ReclaimE2E.class, "pod.yaml");
  private static final String SCRIPT =
      """
      - {gpu: 0, utilization: 85, memory-used-mib: 9000}
      - {gpu: 1, utilization: 0, memory-used-mib: 9000}
      """;

  /** For a pod to be warned or evicted once it is time, and for a pod to start. */
  private static final Duration SOON = Duration.ofSeconds(60);

  private static TestCluster cluster;
  private static List<String> gpus;
  private static Prometheus prometheus;
  private static Reclaimer reclaimer;

  private String namespace = "";

  @BeforeAll
  static void install(TestCluster shared) {
    cluster = shared;
    gpus = cluster.gpus(2);
    var agents = InstalledAgents.apply(cluster, SCRIPT);
    prometheus = Prometheus.start(cluster, Prometheus.configuration());
    reclaimer = Reclaimer.apply(cluster, prometheus.address());
    agents.awaitReady();
    reclaimer.awaitReady();
  }

  @AfterEach
  void giveGpusBack() {
    var pods = cluster.client().pods().inNamespace(namespace);
    pods.withGracePeriod(0).delete();
    await("GPUs are free").atMost(SOON).until(() -> pods.list().getItems().isEmpty());
  }

  @Test
  void evictsTheIdlePodAfterAWarning_andTheWaitingOneGetsItsGpu() {
    namespace = policy("always", "12s", "6s");
    Pod busy = run("busy");
    Pod idle = run("idle");
    submit("waiting");

    Instant actNotBefore = Instant.parse(awaitAnnotation(idle, "act-not-before"));
    assertThat(awaitEvent(idle, "GPUIdleWarned").getMessage())
        .contains(
            "Pod idle will be evicted after "
                + actNotBefore.toString().substring(0, 19).replace('T', ' ')
                + " UTC");
    Event evicted = awaitEvent(idle, "GPUReclaimed");
    assertThat(Instant.parse(evicted.getFirstTimestamp()))
        .isAfterOrEqualTo(actNotBefore.minusMillis(999));
    assertWaitingRunsOnFreedGpu(evicted);
    assertUntouched(busy);
  }

  @Test
  void evictsOnDemand_onlyOnceAPodWaits() {
    namespace = policy("on-demand", "8s", "4s");
    Pod busy = run("busy");
    Pod idle = run("idle");

    awaitExplained("idle", "may be reclaimed if a pending pod needs its GPUs, but not now");
    staysAsItIs("idle", idle, Duration.ofSeconds(5));
    submit("waiting");

    Event evicted = awaitEvent(idle, "GPUReclaimed");
    assertThat(evicted.getMessage())
        .endsWith(
            "Pod "
                + namespace
                + "/waiting is pending for 1 GPU. The reclaimer cannot restore an evicted pod. To get pod "
                + namespace
                + "/idle back, create it again from its manifest.");
    Records.awaitStates(cluster, namespace, 1, "Evicted", SOON);
    assertThat(Records.list(cluster, namespace).getFirst())
        .satisfies(
            record -> {
              assertThat(record.<String>get("status", "workload")).isEqualTo("Pod/idle");
              assertThat(record.<String>get("status", "pendingPod"))
                  .isEqualTo(namespace + "/waiting");
              assertThat(record.<String>get("status", "message"))
                  .endsWith("create it again from its manifest.");
              assertThat(record.getMetadata().getOwnerReferences()).isEmpty();
            });
    assertWaitingRunsOnFreedGpu(evicted);
    assertUntouched(busy);
  }

  @Test
  void evictsNoPodWhilePrometheusIsGoneOrKnowsNoAgent_andGoesOnAfterwards() {
    namespace = policy("always", "20s", "15s");
    Pod busy = run("busy");
    Pod idle = run("idle");
    submit("waiting");
    Instant actNotBefore = Instant.parse(awaitAnnotation(idle, "act-not-before"));

    prometheus.stop();
    await("both replicas say that they are blind")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(reclaimer.answers("/plan"))
                    .hasSize(2)
                    .allSatisfy(
                        plan ->
                            assertThat(plan)
                                .contains(
                                    "Nothing is known of any GPU, so nothing will be done: POST "
                                        + prometheus.address())));
    assertThat(reclaimer.logs())
        .hasSize(2)
        .allSatisfy(
            log -> assertThat(log).contains("WARN  TransitionLog - nothing is known of any GPU: "));
    staysAsItIs("idle", idle, Duration.between(Instant.now(), actNotBefore).plusSeconds(10));

    prometheus.start(Prometheus.configuration().replacing("gpu-exporter;metrics", "none"));
    awaitExplained("idle", "unknown: no agent has reported on it");
    staysAsItIs("idle", idle, Duration.ofSeconds(5));
    assertUntouched(busy);

    prometheus.stop();
    prometheus.start(
        Prometheus.configuration().replacing("honor_labels: true", "honor_labels: false"));
    assertWaitingRunsOnFreedGpu(awaitEvent(idle, "GPUReclaimed"));
    assertUntouched(busy);
  }

  /** A namespace with the policy in its annotations. */
  private static String policy(String mode, String idleAfter, String warnBefore) {
    return cluster.namespace(
        mode,
        Map.of(
            "gpu-reclaimer.io/mode", mode,
            "gpu-reclaimer.io/idle-after", idleAfter,
            "gpu-reclaimer.io/warn-before", warnBefore));
  }

  private void submit(String name) {
    cluster.apply(POD.with("namespace", namespace).with("name", name));
  }

  private Pod run(String name) {
    submit(name);
    return cluster.awaitReady(namespace, name);
  }

  private Optional<Pod> find(String name) {
    return Optional.ofNullable(cluster.client().pods().inNamespace(namespace).withName(name).get());
  }

  private String awaitAnnotation(Pod pod, String key) {
    return await(key + " on " + pod.getMetadata().getName())
        .atMost(SOON)
        .until(
            () ->
                find(pod.getMetadata().getName())
                    .map(now -> now.getMetadata().getAnnotations().get("gpu-reclaimer.io/" + key)),
            Optional::isPresent)
        .orElseThrow();
  }

  private Event awaitEvent(Pod pod, String reason) {
    return await(reason + " on " + pod.getMetadata().getName())
        .atMost(SOON)
        .until(
            () ->
                eventsOf(pod).stream().filter(event -> event.getReason().equals(reason)).findAny(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** What people read of us on this very pod. */
  private List<Event> eventsOf(Pod pod) {
    return cluster.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> pod.getMetadata().getUid().equals(event.getInvolvedObject().getUid()))
        .filter(event -> "gpu-reclaimer".equals(event.getSource().getComponent()))
        .toList();
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

  private void staysAsItIs(String name, Pod pod, Duration time) {
    await(name + " runs on for " + time)
        .during(time)
        .atMost(time.plusSeconds(5))
        .until(
            () ->
                find(name)
                    .map(Pod::getMetadata)
                    .filter(now -> now.getUid().equals(pod.getMetadata().getUid()))
                    .filter(now -> now.getDeletionTimestamp() == null)
                    .isPresent());
  }

  private void assertWaitingRunsOnFreedGpu(Event evicted) {
    Pod waiting = cluster.awaitReady(namespace, "waiting");
    System.out.printf(
        "%s: the pending pod was ready %s after the eviction%n",
        namespace,
        Duration.between(
            Instant.parse(evicted.getFirstTimestamp()), Instant.parse(readySince(waiting))));
    var it = cluster.client().pods().inNamespace(namespace).withName("waiting");
    await("what the pending pod sees")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(it.getLog().strip()).isEqualTo(gpus.get(1)));
  }

  private static String readySince(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .findAny()
        .orElseThrow()
        .getLastTransitionTime();
  }

  /** The same pod, without a warning and without an Event. */
  private void assertUntouched(Pod pod) {
    Pod now = find(pod.getMetadata().getName()).orElseThrow();
    assertThat(now.getMetadata().getUid()).isEqualTo(pod.getMetadata().getUid());
    assertThat(now.getMetadata().getDeletionTimestamp()).isNull();
    assertThat(now.getMetadata().getAnnotations().keySet())
        .noneMatch(key -> key.startsWith("gpu-reclaimer.io/"));
    assertThat(eventsOf(pod)).isEmpty();
  }
}
