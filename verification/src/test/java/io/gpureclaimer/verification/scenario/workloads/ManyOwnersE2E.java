package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fifty idle Deployments that are stopped in one cycle; prints how long that takes. */
@OnCluster
@Tag("nightly")
class ManyOwnersE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(60), Duration.ofSeconds(50));
  private static final Duration SOON = Duration.ofMinutes(5);
  private static final int OWNERS = 50;
  private static final Pattern ACT_SECONDS =
      Pattern.compile("gpu_reclaimer_cycle_seconds_sum\\{phase=\"act\",} (\\S+)");

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;
  private final Map<String, Instant> deletedAt = new ConcurrentHashMap<>();

  ManyOwnersE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @Test
  void stopsFiftyOwners_inOneCycle() {
    cluster.gpus(OWNERS);
    String namespace = TestNamespace.withMode(cluster, "always").namespace();
    Manifest owner = Manifest.beside(ManyOwnersE2E.class, "one.yaml").with("namespace", namespace);
    for (int i = 0; i < OWNERS; i++) {
      cluster.apply(owner.with("name", "serve-" + i));
    }
    List<Pod> pods = cluster.awaitReady(namespace, OWNERS, SOON);
    watch(namespace);
    pods.forEach(prometheus::showsIdle);
    Replica replica =
        replicas.startAsShipped(
            "reclaimer",
            prometheus,
            PACE,
            "plan.max-evictions=" + OWNERS,
            "plan.max-namespace-evictions=" + OWNERS);

    await("all are warned").atMost(SOON).until(() -> warned(namespace));
    double before = actSeconds(replica);
    var cpuBefore = new AtomicReference<>(replica.cpuTime());
    await("all are stopped")
        .atMost(SOON)
        .until(
            () -> {
              Duration cpuNow = replica.cpuTime();
              int records = Records.list(cluster, namespace).size();
              if (records == 0) {
                cpuBefore.set(cpuNow);
              }
              return records == OWNERS;
            });
    Duration cpu = replica.cpuTime().minus(cpuBefore.get());
    Records.awaitStates(cluster, namespace, OWNERS, "Reclaimed", SOON);
    double acted = actSeconds(replica) - before;
    await("all pods are deleted").atMost(SOON).until(() -> deletedAt.size() == OWNERS);

    List<Duration> untilGone = new ArrayList<>();
    for (GenericKubernetesResource record : Records.list(cluster, namespace)) {
      String deployment = record.get("status", "owner", "name");
      Instant decided = Instant.parse(record.<String>get("status", "recordedAt"));
      Instant gone =
          deletedAt.entrySet().stream()
              .filter(pod -> pod.getKey().startsWith(deployment + "-"))
              .map(Map.Entry::getValue)
              .findAny()
              .orElseThrow();
      untilGone.add(Duration.between(decided, gone));
    }
    untilGone.sort(Comparator.naturalOrder());
    System.out.printf(
        "%d owners: %s of CPU time from the first record to the last; %.2f s in the "
            + "act phase of all cycles; from record to the end of"
            + " the pod median %s, slowest %s%n",
        OWNERS, cpu, acted, untilGone.get(OWNERS / 2), untilGone.getLast());
  }

  private boolean warned(String namespace) {
    return cluster.pods(namespace).stream()
        .allMatch(
            pod -> pod.getMetadata().getAnnotations().containsKey("gpu-reclaimer.io/warned-at"));
  }

  private static double actSeconds(Replica replica) {
    Matcher sum = ACT_SECONDS.matcher(replica.metrics());
    assertThat(sum.find()).isTrue();
    return Double.parseDouble(sum.group(1));
  }

  private void watch(String namespace) {
    KubernetesClient client = cluster.client();
    client
        .pods()
        .inNamespace(namespace)
        .inform(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(Pod pod) {}

              @Override
              public void onUpdate(Pod before, Pod pod) {}

              @Override
              public void onDelete(Pod pod, boolean unknown) {
                deletedAt.put(pod.getMetadata().getName(), Instant.now());
              }
            });
  }
}
