package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A Deployment of which two replicas are idle, with the real controllers. */
@OnCluster
class IdleReplicasE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int PODS = 5;

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;

  IdleReplicasE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @BeforeAll
  static void offerGpus(TestCluster cluster) {
    cluster.gpus(PODS);
  }

  @Test
  void removesTheIdleReplicasAlone_andRestoresTheirNumber() {
    String namespace = TestNamespace.withMode(cluster, "always").namespace();
    cluster.apply(
        Manifest.beside(IdleReplicasE2E.class, "replicas.yaml").with("namespace", namespace));
    List<Pod> all = cluster.awaitReady(namespace, PODS, SOON);
    List<Pod> idle = all.subList(0, 2);
    List<Pod> busy = all.subList(2, PODS);
    idle.forEach(prometheus::showsIdle);
    busy.forEach(prometheus::showsBusy);
    replicas.start("reclaimer", prometheus, PACE);

    Records.awaitStates(cluster, namespace, 1, "Reclaimed", SOON);

    assertThat(cluster.pods(namespace))
        .extracting(IdleReplicasE2E::uid)
        .containsExactlyInAnyOrderElementsOf(busy.stream().map(IdleReplicasE2E::uid).toList());
    assertThat(replicasOf(namespace)).isEqualTo(3);

    Records.askForRestore(cluster, namespace);

    Records.awaitStates(cluster, namespace, 1, "Restored", SOON);
    assertThat(replicasOf(namespace)).isEqualTo(PODS);
    assertThat(cluster.awaitReady(namespace, PODS, SOON))
        .extracting(IdleReplicasE2E::uid)
        .containsAll(busy.stream().map(IdleReplicasE2E::uid).toList());
  }

  private int replicasOf(String namespace) {
    return cluster
        .client()
        .apps()
        .deployments()
        .inNamespace(namespace)
        .withName("serve")
        .get()
        .getSpec()
        .getReplicas();
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }
}
