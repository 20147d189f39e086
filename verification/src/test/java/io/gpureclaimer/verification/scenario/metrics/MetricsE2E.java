package io.gpureclaimer.verification.scenario.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.verification.scenario.harness.InstalledAgents;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.Prometheus;
import io.gpureclaimer.verification.scenario.harness.Prometheus.ResultSeries;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The agent in a pod, found and scraped by a real Prometheus: whose GPU is it? */
@OnCluster
class MetricsE2E {
  private static final Manifest POD = Manifest.beside(MetricsE2E.class, "pod.yaml");
  private static final Manifest PAIR = Manifest.beside(MetricsE2E.class, "two-containers.yaml");
  private static final Manifest RENAMING_JOB = Manifest.beside(MetricsE2E.class, "job.yaml");

  /** As the sample configuration has it. */
  private static final String JOB = "gpu-exporter";

  private static final String RENAMED = "renamed";

  /** What we promise: until a label appears, and until it is gone. */
  private static final Duration PROMISE = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static TestCluster cluster;
  private static List<String> gpus;
  private static InstalledAgents agents;
  private static Prometheus prometheus;

  private String namespace = "";

  @BeforeAll
  static void install(TestCluster shared) {
    cluster = shared;
    gpus = cluster.gpus(4);
    agents = InstalledAgents.apply(cluster, "[]");
    prometheus =
        Prometheus.start(
            cluster, new Manifest(Prometheus.configuration().text() + RENAMING_JOB.text()));
    agents.awaitReady();
    awaitAll(() -> assertThat(prometheus.ask("up == 1")).hasSize(2));
  }

  @BeforeEach
  void newNamespace() {
    namespace = cluster.namespace("research", Map.of());
  }

  @AfterEach
  void giveGpusBack() {
    var pods = cluster.client().pods().inNamespace(namespace);
    pods.withGracePeriod(0).delete();
    awaitAll(() -> assertThat(pods.list().getItems()).isEmpty());
    awaitAll(() -> assertThat(SeriesHolder.reported(prometheus, JOB)).isEmpty());
  }

  @Test
  void showsEveryGpu_free() {
    var _ =
        timed(
            () ->
                assertThat(prometheus.ask("DCGM_FI_DEV_GPU_UTIL{job=\"" + JOB + "\"}"))
                    .as(() -> "of " + prometheus.ask("count_over_time(DCGM_FI_DEV_GPU_UTIL[1m])"))
                    .extracting(series -> series.labels().get("UUID"))
                    .containsExactlyInAnyOrderElementsOf(gpus));
    assertThat(prometheus.ask("up{job=\"" + JOB + "\"}"))
        .extracting(series -> series.labels().get("node"))
        .containsExactly(cluster.node());
  }

  @Test
  void labelsComeAndGoWithThePod_withinTenSeconds() {
    Pod pod = run("train", "Always");
    Duration came =
        timed(
            () -> {
              assertHeldBy(pod);
              assertThat(observedSince(pod)).isNotEmpty();
            });

    delete(pod);
    Duration went = timed(() -> assertNothingLeftOf(pod));

    System.out.printf("labels appeared after %s, and were gone after %s%n", came, went);
  }

  @Test
  void labelsGoWhenThePodIsDone_withinTenSeconds() {
    Pod pod = run("batch", "Never");
    awaitAll(() -> assertHeldBy(pod));

    end(pod, 0);
    Duration went = timed(() -> assertNothingLeftOf(pod));

    System.out.printf("labels of a pod that was done were gone after %s%n", went);
  }

  @Test
  void aPodOfTheSameNameIsAnother() {
    Pod first = run("notebook", "Always");
    awaitAll(() -> assertThat(observedSince(first)).isNotEmpty());
    delete(first);
    Pod second = run("notebook", "Always");

    awaitAll(() -> assertThat(observedSince(second)).isNotEmpty());
    assertThat(observedSince(first)).isEmpty();
    assertThat(observedSince(second).orElseThrow())
        .isAfterOrEqualTo(Instant.parse(second.getMetadata().getCreationTimestamp()));
    assertHeldBy(second);
  }

  @Test
  void aRestartedContainerIsStillTheSameHolder() {
    Pod pod = run("server", "Always");
    awaitAll(() -> assertThat(observedSince(pod)).isNotEmpty());
    Optional<Instant> before = observedSince(pod);

    end(pod, 1);
    awaitAll(
        () ->
            assertThat(find(pod).getStatus().getContainerStatuses())
                .allSatisfy(
                    container -> {
                      assertThat(container.getRestartCount()).isEqualTo(1);
                      assertThat(container.getReady()).isTrue();
                    }));

    staysHeldBy(pod, Duration.ofSeconds(7));
    assertThat(observedSince(pod)).isEqualTo(before);
  }

  @Test
  void eachOfTwoContainersHoldsItsOwn() {
    cluster.apply(PAIR.with("namespace", namespace));
    cluster.awaitReady(namespace, "pair");

    awaitAll(
        () ->
            assertThat(SeriesHolder.reported(prometheus, JOB))
                .containsExactlyInAnyOrder(
                    new SeriesHolder(gpus.get(0), namespace, "pair", "left"),
                    new SeriesHolder(gpus.get(1), namespace, "pair", "right")));
  }

  @Test
  void nothingIsWrongWhileTheKubeletRestarts() {
    OwnCluster node = OwnCluster.orSkip();
    Pod pod = run("steady", "Always");
    awaitAll(() -> assertThat(observedSince(pod)).isNotEmpty());
    Optional<Instant> before = observedSince(pod);

    node.restartKubelet();
    staysHeldBy(pod, Duration.ofSeconds(15));
    assertThat(observedSince(pod)).isEqualTo(before);
    assertThat(find(pod).getMetadata().getUid()).isEqualTo(pod.getMetadata().getUid());
    cluster.gpus(4);
  }

  @Test
  void aNewAgentBeginsToObserveAgain() {
    Pod pod = run("long", "Always");
    awaitAll(() -> assertThat(observedSince(pod)).isNotEmpty());
    Instant now = Instant.now();

    agents.restart();

    awaitAll(
        () ->
            assertThat(observedSince(pod))
                .hasValueSatisfying(since -> assertThat(since).isAfter(now)));
    assertHeldBy(pod);
  }

  @Test
  void theAgentMayWatchPods_andNothingElse() {
    assertThat(agents.permissions()).containsExactlyInAnyOrder("list pods", "watch pods");
  }

  private Pod run(String name, String restart) {
    cluster.apply(POD.with("namespace", namespace).with("name", name).with("restart", restart));
    return cluster.awaitReady(namespace, name);
  }

  private Pod find(Pod pod) {
    return cluster.client().pods().resource(pod).require();
  }

  private static void delete(Pod pod) {
    var it = cluster.client().pods().resource(pod);
    it.delete();
    it.waitUntilCondition(Objects::isNull, PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Lets its container end, and waits until it has. */
  private static void end(Pod pod, int code) {
    var it = cluster.client().pods().resource(pod);
    it.writingOutput(OutputStream.nullOutputStream())
        .exec("sh", "-c", "echo " + code + " >/tmp/end")
        .close();
    it.waitUntilCondition(
        found -> ended(found.getStatus().getContainerStatuses().getFirst()),
        PATIENCE.toSeconds(),
        TimeUnit.SECONDS);
  }

  private static boolean ended(ContainerStatus container) {
    return container.getState().getTerminated() != null || container.getRestartCount() > 0;
  }

  private static void awaitAll(ThrowingRunnable assertion) {
    await().pollInterval(POLL).atMost(PATIENCE).untilAsserted(assertion);
  }

  /** How long it takes until this holds; no longer than we promise. */
  private static Duration timed(ThrowingRunnable assertion) {
    long began = System.nanoTime();
    await().pollDelay(Duration.ZERO).pollInterval(POLL).atMost(PROMISE).untilAsserted(assertion);
    return Duration.ofMillis((System.nanoTime() - began) / 1_000_000);
  }

  /** Both jobs say that it alone holds a GPU, and which. */
  private void assertHeldBy(Pod pod) {
    var holding = new SeriesHolder(gpus.get(0), namespace, pod.getMetadata().getName(), "main");
    assertThat(SeriesHolder.reported(prometheus, JOB)).containsExactly(holding);
    assertThat(SeriesHolder.reportedRenamed(prometheus, RENAMED)).containsExactly(holding);
  }

  private void staysHeldBy(Pod pod, Duration time) {
    var holding = new SeriesHolder(gpus.get(0), namespace, pod.getMetadata().getName(), "main");
    // A late scrape on a busy machine may show no pod for a moment, but never another.
    await()
        .failFast(
            "it is attributed to no other pod",
            () -> {
              assertThat(SeriesHolder.reported(prometheus, JOB)).isSubsetOf(holding);
              assertThat(SeriesHolder.reportedRenamed(prometheus, RENAMED)).isSubsetOf(holding);
            })
        .during(time)
        .atMost(time.plus(PATIENCE))
        .untilAsserted(() -> assertHeldBy(pod));
  }

  private void assertNothingLeftOf(Pod pod) {
    assertThat(SeriesHolder.reported(prometheus, JOB)).isEmpty();
    assertThat(SeriesHolder.reportedRenamed(prometheus, RENAMED)).isEmpty();
    assertThat(prometheus.ask("{pod_uid=\"" + pod.getMetadata().getUid() + "\"}")).isEmpty();
  }

  /** Since when both jobs say that the pod was observed. */
  private static Optional<Instant> observedSince(Pod pod) {
    List<ResultSeries> reported =
        prometheus.ask(
            "gpu_pod_observed_since_timestamp_seconds{pod_uid=\""
                + pod.getMetadata().getUid()
                + "\"}");
    assertThat(reported).extracting(ResultSeries::value).hasSizeLessThanOrEqualTo(2);
    return reported.size() == 2
        ? Optional.of(Instant.ofEpochMilli(Math.round(reported.getFirst().value() * 1_000)))
        : Optional.empty();
  }
}
