package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Pace;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.Tenant;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A Deployment of which two replicas are idle, with the real controllers. */
@OnCluster
class IdleReplicasE2E {
  private static final Pace PACE = new Pace(Duration.ofSeconds(2), Duration.ofSeconds(1));
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
    String namespace = Tenant.withMode(cluster, "always").namespace();
    cluster.apply(
        Manifest.beside(IdleReplicasE2E.class, "replicas.yaml").with("namespace", namespace));
    List<Pod> all = awaitReady(namespace);
    List<Pod> idle = all.subList(0, 2);
    List<Pod> busy = all.subList(2, PODS);
    idle.forEach(prometheus::showsIdle);
    busy.forEach(prometheus::showsBusy);
    replicas.start("reclaimer", prometheus, PACE);

    awaitState(namespace, "Reclaimed");

    assertThat(pods(namespace))
        .extracting(IdleReplicasE2E::uid)
        .containsExactlyInAnyOrderElementsOf(busy.stream().map(IdleReplicasE2E::uid).toList());
    assertThat(replicasOf(namespace)).isEqualTo(3);

    cluster
        .client()
        .genericKubernetesResources(OwnedE2E.RECLAMATIONS)
        .inNamespace(namespace)
        .withName(records(namespace).getFirst().getMetadata().getName())
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"restore\":true}}");

    awaitState(namespace, "Restored");
    assertThat(replicasOf(namespace)).isEqualTo(PODS);
    assertThat(awaitReady(namespace))
        .extracting(IdleReplicasE2E::uid)
        .containsAll(busy.stream().map(IdleReplicasE2E::uid).toList());
  }

  private void awaitState(String namespace, String state) {
    await("the record is " + state)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(records(namespace))
                    .hasSize(1)
                    .allSatisfy(
                        record ->
                            assertThat(record.<String>get("status", "state"))
                                .as(String.valueOf(record.<String>get("status", "message")))
                                .isEqualTo(state)));
  }

  private List<GenericKubernetesResource> records(String namespace) {
    return cluster
        .client()
        .genericKubernetesResources(OwnedE2E.RECLAMATIONS)
        .inNamespace(namespace)
        .list()
        .getItems();
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

  private List<Pod> awaitReady(String namespace) {
    return await("all pods run")
        .atMost(SOON)
        .until(
            () -> pods(namespace),
            found -> found.size() == PODS && found.stream().allMatch(Readiness::isPodReady));
  }

  private List<Pod> pods(String namespace) {
    return cluster.client().pods().inNamespace(namespace).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }
}
