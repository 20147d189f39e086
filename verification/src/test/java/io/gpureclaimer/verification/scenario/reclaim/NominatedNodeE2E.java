package io.gpureclaimer.verification.scenario.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One GPU, an idle pod that has it and needs 10 seconds to end, and two pending pods of the same
 * priority. The scheduler tries the older one first. That asks to be served late, so the GPU is
 * freed for the other one.
 */
@OnCluster
class NominatedNodeE2E {
  private static final Manifest POD = Manifest.beside(NominatedNodeE2E.class, "nominated.yaml");
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(4), Duration.ofSeconds(2));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String LATE = "kai.scheduler/preemption-delay";

  private TestCluster cluster;
  private Replicas replicas;
  private TestNamespace tenant;
  private StubPrometheus prometheus;

  @BeforeEach
  void offerOneGpu(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.tenant = TestNamespace.withMode(cluster, "on-demand");
    this.prometheus = replicas.prometheus();
    cluster.gpus(1);
  }

  @AfterEach
  void giveGpusBack() {
    pods().withGracePeriod(0).delete();
    await("GPUs are free").atMost(SOON).until(() -> pods().list().getItems().isEmpty());
  }

  private NonNamespaceOperation<Pod, PodList, PodResource> pods() {
    return cluster.client().pods().inNamespace(tenant.namespace());
  }

  @Test
  @Tag("nightly")
  void withoutIt_theOlderPodTakesTheGpu() {
    Replica replica = freeTheGpu("plan.nominate-nodes=false");

    tenant.awaitReady("older");
    assertThat(tenant.now("served").orElseThrow().getSpec().getNodeName()).isNull();
    await("it is counted")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(replica.metrics())
                    .contains("gpu_reclaimer_pending_overtaken_total 1.0"));
    assertThat(tenant.history().of("served")).noneMatch(pod -> nominated(pod).isPresent());
  }

  @Test
  void keepsTheGpuForThePodForWhichItIsFreed_althoughTheSchedulerClearsTheField() {
    grantNomination();
    Replica replica = freeTheGpu("plan.nominate-nodes=true");
    String node = tenant.now("idle").orElseThrow().getSpec().getNodeName();
    tenant.history().await("served", "is nominated", pod -> nominated(pod).isPresent());

    pods().withName("other").withGracePeriod(0).delete();
    await("the scheduler tries the pod, and the node is nominated again")
        .atMost(SOON)
        .until(() -> timesNominated() > 1);

    Pod served = tenant.awaitReady("served");
    assertThat(served.getSpec().getNodeName()).isEqualTo(node);
    assertThat(tenant.now("older").orElseThrow().getSpec().getNodeName()).isNull();
    assertThat(replica.linesWith("not written")).isEmpty();
    assertThat(replica.metrics()).contains("gpu_reclaimer_pending_overtaken_total 0.0");
  }

  /** Until the idle pod terminates. */
  private Replica freeTheGpu(String property) {
    create("idle", 1, Map.of());
    create("other", 0, Map.of());
    Pod idle = tenant.awaitReady("idle");
    tenant.awaitReady("other");
    create("older", 1, Map.of(LATE, "1h"));
    awaitUnschedulable("older");
    create("served", 1, Map.of());
    awaitUnschedulable("served");
    prometheus.showsIdle(idle);
    Replica replica =
        replicas.startAsShipped("reclaimer", prometheus, PACE, property, "plan.pending-grace=1s");
    tenant.history().awaitEvicted("idle");
    return replica;
  }

  private void create(String name, int gpus, Map<String, String> annotations) {
    String written =
        annotations.entrySet().stream()
            .map(each -> each.getKey() + ": \"" + each.getValue() + "\"")
            .findFirst()
            .orElse("");
    cluster.apply(
        POD.with("namespace", tenant.namespace())
            .with("name", name)
            .with("annotations", written)
            .with("resources", gpus == 0 ? "" : "nvidia.com/gpu: " + gpus));
  }

  private void awaitUnschedulable(String name) {
    tenant
        .history()
        .await(
            name,
            "finds no node",
            pod ->
                pod.getStatus().getConditions().stream()
                    .anyMatch(each -> "Unschedulable".equals(each.getReason())));
  }

  /** The role that the chart creates for it. */
  private void grantNomination() {
    List<HasMetadata> objects =
        Chart.objects(Map.of("reclaimer.nominateNodes", true)).stream()
            .filter(each -> each.getMetadata().getName().equals("gpu-reclaimer-nominate"))
            .toList();
    assertThat(objects).hasSize(2);
    objects.forEach(cluster::apply);
  }

  private long timesNominated() {
    List<Pod> versions = tenant.history().of("served");
    long times = 0;
    for (int i = 1; i < versions.size(); i++) {
      if (nominated(versions.get(i - 1)).isEmpty() && nominated(versions.get(i)).isPresent()) {
        times++;
      }
    }
    return times;
  }

  private static Optional<String> nominated(Pod pod) {
    return Optional.ofNullable(pod.getStatus().getNominatedNodeName())
        .filter(_ -> pod.getSpec().getNodeName() == null);
  }
}
