package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An idle Deployment that another controller scales back as soon as it has no replicas. */
@OnCluster
class ContestedE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int PODS = 2;

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;

  ContestedE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @BeforeAll
  static void offerGpus(TestCluster cluster) {
    cluster.gpus(PODS);
  }

  @Test
  void actsOnceAndReportsIt() {
    String namespace = TestNamespace.withMode(cluster, "always").namespace();
    cluster.apply(
        Manifest.beside(ContestedE2E.class, "contested.yaml").with("namespace", namespace));
    cluster.awaitReady(namespace, PODS, SOON).forEach(prometheus::showsIdle);
    var deployment = cluster.client().apps().deployments().inNamespace(namespace).withName("serve");
    replicas.start("reclaimer", prometheus, PACE);

    try (var controller = Executors.newSingleThreadScheduledExecutor()) {
      var _ =
          controller.scheduleWithFixedDelay(
              () -> scaleBack(deployment), 0, 100, TimeUnit.MILLISECONDS);
      Records.awaitStates(cluster, namespace, 1, "Contested", SOON);
    }

    await("the Event on the Deployment")
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(reasons(namespace)).containsOnlyOnce("GPUReclamationContested"));
    assertThat(deployment.get().getSpec().getReplicas()).isEqualTo(PODS);
    assertThat(Records.list(cluster, namespace)).hasSize(1);
    cluster.awaitReady(namespace, PODS, SOON);
  }

  private static void scaleBack(RollableScalableResource<Deployment> deployment) {
    if (deployment.get().getSpec().getReplicas() < PODS) {
      TestCluster.merge(deployment, "{\"spec\":{\"replicas\":" + PODS + "}}");
    }
  }

  private List<String> reasons(String namespace) {
    return cluster.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> "Deployment".equals(event.getInvolvedObject().getKind()))
        .map(Event::getReason)
        .toList();
  }
}
