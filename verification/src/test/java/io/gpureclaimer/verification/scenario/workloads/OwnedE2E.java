package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Pace;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.Tenant;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods of a Deployment, a StatefulSet and a Job, idle in a namespace that asks for everything. */
@OnCluster
class OwnedE2E {
  private static final Pace PACE = new Pace(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final int PODS = 4;

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;

  OwnedE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @Test
  void judgesPodsUnderTheNameOfTheirTopOwner_andOnlyReports() {
    cluster.gpus(2 * PODS);
    String before = idle();
    Replica replica = replicas.start("reclaimer", prometheus, PACE);
    assertReported(replica, before);

    // Now the kinds are watched: what comes later is an event, not part of a list.
    String after = idle();
    assertReported(replica, after);
    assertThat(replica.linesWith("cannot be read")).isEmpty();
  }

  /** A namespace with one workload of each kind. */
  private String idle() {
    String namespace = Tenant.withMode(cluster, "always").namespace();
    cluster.apply(Manifest.beside(OwnedE2E.class, "owned.yaml").with("namespace", namespace));
    awaitReady(namespace).forEach(prometheus::showsIdle);
    return namespace;
  }

  private void assertReported(Replica replica, String namespace) {
    List<Pod> pods = pods(namespace);
    for (String owner : List.of("Deployment/serve", "StatefulSet/keep", "Job/train")) {
      String name = owner.replace("/", " " + namespace + "/");
      assertThat(replica.awaitLine(name, "is reported: idle for"))
          .contains(owner + " would recreate an evicted pod");
      assertThat(replica.get("/plan").body()).containsPattern(namespace + " +" + owner);
    }
    assertThat(pods(namespace)).containsExactlyInAnyOrderElementsOf(pods);
  }

  private List<Pod> awaitReady(String namespace) {
    return await("all pods run")
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> pods(namespace),
            found -> found.size() == PODS && found.stream().allMatch(Readiness::isPodReady));
  }

  private List<Pod> pods(String namespace) {
    return cluster.client().pods().inNamespace(namespace).list().getItems();
  }
}
