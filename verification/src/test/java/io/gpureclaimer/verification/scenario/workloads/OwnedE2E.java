package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.Pace;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.Tenant;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A Deployment, a StatefulSet and a Job that are idle: stopped, restored on request, reported. */
@OnCluster
class OwnedE2E {
  private static final Pace PACE = new Pace(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int PODS = 4;
  static final ResourceDefinitionContext RECLAMATIONS =
      new ResourceDefinitionContext.Builder()
          .withGroup("gpu-reclaimer.io")
          .withVersion("v1alpha1")
          .withKind("Reclamation")
          .withPlural("reclamations")
          .withNamespaced(true)
          .build();

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;

  OwnedE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @BeforeAll
  static void offerGpus(TestCluster cluster) {
    cluster.gpus(2 * PODS);
  }

  @Test
  void stopsIdleOwners_andRestoresThemToTheByte_orReportsThem() {
    String reported = idle("report");
    Map<String, String> untouched = specs(reported);
    String namespace = idle("always");
    Map<String, String> before = specs(namespace);
    Replica replica = replicas.start("reclaimer", prometheus, PACE);

    awaitStates(namespace, "Reclaimed");

    assertThat(pods(namespace)).extracting(OwnedE2E::phase).doesNotContain("Pending", "Running");
    assertThat(specs(namespace))
        .allSatisfy((owner, spec) -> assertThat(spec).isNotEqualTo(before.get(owner)));
    assertThat(reasons(namespace, "Deployment")).contains("GPUIdleWarned", "GPUReclaimed");
    assertThat(OwnCluster.orSkip().kubectl("get", "reclamations", "--namespace", namespace))
        .contains("Deployment/serve", "StatefulSet/keep", "Job/train", "Reclaimed")
        .contains("kubectl patch reclamation");

    reclamations(namespace)
        .forEach(
            record ->
                cluster
                    .client()
                    .genericKubernetesResources(RECLAMATIONS)
                    .inNamespace(namespace)
                    .withName(record.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"restore\":true}}"));

    awaitStates(namespace, "Restored");
    assertThat(specs(namespace)).isEqualTo(before);
    awaitReady(namespace);
    assertThat(replica.linesWith("cannot be read")).isEmpty();
    for (String owner : List.of("Deployment/serve", "StatefulSet/keep", "Job/train")) {
      replica.awaitLine(owner.replace("/", " " + reported + "/"), "is reported: idle for");
    }
    assertThat(specs(reported)).isEqualTo(untouched);
    assertThat(reclamations(reported)).isEmpty();
  }

  /** A namespace with one workload of each kind. */
  private String idle(String mode) {
    String namespace = Tenant.withMode(cluster, mode).namespace();
    cluster.apply(Manifest.beside(OwnedE2E.class, "owned.yaml").with("namespace", namespace));
    awaitReady(namespace).forEach(prometheus::showsIdle);
    return namespace;
  }

  private void awaitStates(String namespace, String state) {
    await("three records are " + state)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(reclamations(namespace))
                    .hasSize(3)
                    .allSatisfy(
                        record ->
                            assertThat(record.<String>get("status", "state"))
                                .as(String.valueOf(record.<String>get("status", "message")))
                                .isEqualTo(state)));
  }

  private List<GenericKubernetesResource> reclamations(String namespace) {
    return cluster
        .client()
        .genericKubernetesResources(RECLAMATIONS)
        .inNamespace(namespace)
        .list()
        .getItems();
  }

  /** The specification of each owner, as JSON. */
  private Map<String, String> specs(String namespace) {
    var client = cluster.client();
    Map<String, Object> specs = new TreeMap<>();
    specs.put(
        "Deployment",
        client.apps().deployments().inNamespace(namespace).withName("serve").get().getSpec());
    specs.put(
        "StatefulSet",
        client.apps().statefulSets().inNamespace(namespace).withName("keep").get().getSpec());
    specs.put(
        "Job", client.batch().v1().jobs().inNamespace(namespace).withName("train").get().getSpec());
    Map<String, String> texts = new TreeMap<>();
    specs.forEach((kind, spec) -> texts.put(kind, Serialization.asJson(spec)));
    return texts;
  }

  private List<String> reasons(String namespace, String kind) {
    return cluster.client().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> kind.equals(event.getInvolvedObject().getKind()))
        .filter(event -> "gpu-reclaimer".equals(event.getSource().getComponent()))
        .map(Event::getReason)
        .toList();
  }

  private List<Pod> awaitReady(String namespace) {
    return await("all pods run")
        .atMost(SOON)
        .until(
            () -> pods(namespace),
            found -> found.size() == PODS && found.stream().allMatch(Readiness::isPodReady));
  }

  private static String phase(Pod pod) {
    return pod.getStatus().getPhase();
  }

  private List<Pod> pods(String namespace) {
    return cluster.client().pods().inNamespace(namespace).list().getItems();
  }
}
