package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A Deployment, a StatefulSet and a Job that are idle: stopped, restored on request, reported. */
@OnCluster
class OwnedE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int PODS = 4;

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

    Records.awaitStates(cluster, namespace, 3, "Reclaimed", SOON);

    assertThat(waitFor("Reclaimed", namespace)).contains("condition met");
    assertThat(cluster.pods(namespace))
        .extracting(OwnedE2E::phase)
        .doesNotContain("Pending", "Running");
    assertThat(specs(namespace))
        .allSatisfy((owner, spec) -> assertThat(spec).isNotEqualTo(before.get(owner)));
    assertThat(reasons(namespace, "Deployment")).contains("GPUIdleWarned", "GPUReclaimed");
    assertThat(OwnCluster.orSkip().kubectl("get", "reclamations", "--namespace", namespace))
        .contains("Deployment/serve", "StatefulSet/keep", "Job/train", "Reclaimed")
        .contains("kubectl patch reclamation");

    assertThat(
            OwnCluster.orSkip()
                .kubectlGpu("none", "restore", "statefulset/keep", "--namespace", namespace))
        .contains("The reclaimer undoes the action \"scale\" on StatefulSet/keep");
    Records.askForRestore(cluster, namespace);

    assertThat(waitFor("Restored", namespace)).contains("condition met");
    Records.awaitStates(cluster, namespace, 3, "Restored", SOON);
    assertThat(specs(namespace)).isEqualTo(before);
    cluster.awaitReady(namespace, PODS, SOON);
    assertThat(replica.linesWith("cannot be read")).isEmpty();
    for (String owner : List.of("Deployment/serve", "StatefulSet/keep", "Job/train")) {
      replica.awaitLine(owner.replace("/", " " + reported + "/"), "is reported: idle for");
    }
    assertThat(specs(reported)).isEqualTo(untouched);
    assertThat(Records.list(cluster, reported)).isEmpty();
  }

  /** What kubectl prints once all records of a namespace have the condition. */
  private static String waitFor(String condition, String namespace) {
    return OwnCluster.orSkip()
        .kubectl(
            "wait",
            "reclamations",
            "--all",
            "--for=condition=" + condition,
            "--timeout=" + SOON.toSeconds() + "s",
            "--namespace",
            namespace);
  }

  /** A namespace with one workload of each kind. */
  private String idle(String mode) {
    String namespace = TestNamespace.withMode(cluster, mode).namespace();
    cluster.apply(Manifest.beside(OwnedE2E.class, "owned.yaml").with("namespace", namespace));
    cluster.awaitReady(namespace, PODS, SOON).forEach(prometheus::showsIdle);
    return namespace;
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

  private static String phase(Pod pod) {
    return pod.getStatus().getPhase();
  }
}
