package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Idle Deployments that need time before they stop: one whose checkpoint hook answers late and that
 * has a preStop hook, and one that ignores SIGTERM.
 */
@OnCluster
@Tag("nightly")
class GracefulStopE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PRE_STOP = Duration.ofSeconds(8);
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration LONG_GRACE = Duration.ofSeconds(60);

  /** Times in a record may have no fraction. */
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final int OK = 200;

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;
  private final CompletableFuture<JsonNode> asked = new CompletableFuture<>();
  private final CompletableFuture<Integer> answer = new CompletableFuture<>();

  GracefulStopE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @Test
  void awaitsTheCheckpoint_andCountsGpusAsFreeOnlyAfterTheGrace() throws IOException {
    try (var executor = Executors.newCachedThreadPool()) {
      HttpServer hook =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      hook.setExecutor(executor);
      hook.createContext("/save", this::save);
      hook.start();
      try {
        stop("http://127.0.0.1:" + hook.getAddress().getPort() + "/");
      } finally {
        answer.complete(OK);
        hook.stop(0);
      }
    }
  }

  private void stop(String hook) {
    cluster.gpus(2);
    String namespace = TestNamespace.withMode(cluster, "always").namespace();
    cluster.apply(
        Manifest.beside(GracefulStopE2E.class, "graceful.yaml")
            .with("namespace", namespace)
            .with("hook", hook + "save")
            .with("preStop", Long.toString(PRE_STOP.toSeconds()))
            .with("grace", Long.toString(GRACE.toSeconds())));
    cluster.awaitReady(namespace, 2, SOON).forEach(prometheus::showsIdle);
    replicas.startAsShipped(
        "reclaimer", prometheus, PACE, "checkpoint.allowed=" + hook, "checkpoint.timeout=2m");

    await("the hook is called").atMost(SOON).until(asked::isDone);
    JsonNode request = asked.join();
    assertThat(request.path("name").asText()).isEqualTo("saves");
    assertThat(request.path("gracePeriodSeconds").asLong()).isEqualTo(LONG_GRACE.toSeconds());
    Records.awaitStates(cluster, namespace, 1, "Reclaimed", SOON);
    assertThat(Records.states(cluster, namespace)).containsOnlyKeys("Deployment/stubborn");
    assertThat(replicas(namespace)).isEqualTo(1);

    answer.complete(OK);

    Records.awaitStates(cluster, namespace, 2, "Reclaimed", SOON);
    assertThat(replicas(namespace)).isZero();
    Map<String, Duration> untilFree = untilFree(namespace);
    System.out.println("from the action to free GPUs: " + untilFree);
    assertThat(untilFree.get("stubborn")).isGreaterThanOrEqualTo(GRACE.minus(SECOND));
    assertThat(untilFree.get("saves")).isBetween(PRE_STOP.minus(SECOND), LONG_GRACE.minus(SECOND));
    assertThat(cluster.pods(namespace)).isEmpty();
  }

  private void save(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.complete(new ObjectMapper().readTree(exchange.getRequestBody()));
      exchange.sendResponseHeaders(answer.join(), -1);
    }
  }

  private int replicas(String namespace) {
    return cluster
        .client()
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName("saves")
        .require()
        .getSpec()
        .getReplicas();
  }

  /** From the change of each Deployment to the record that says that its GPUs are free. */
  private Map<String, Duration> untilFree(String namespace) {
    return Records.list(cluster, namespace).stream()
        .collect(
            Collectors.toMap(
                record -> record.get("status", "owner", "name"),
                record -> Duration.between(time(record, "actedAt"), time(record, "reclaimedAt"))));
  }

  private static Instant time(GenericKubernetesResource record, String field) {
    return Instant.parse(record.<String>get("status", field));
  }
}
