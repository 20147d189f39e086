package io.gpureclaimer.verification.scenario.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PodCondition;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cluster by itself: pods that request GPUs get them, until none is free. */
@OnCluster
class ClusterE2E {
  private static final Manifest POD = Manifest.beside(ClusterE2E.class, "pod.yaml");

  @Test
  void givesGpusInOrder_andLetsWaitWhoComesTooLate(TestCluster cluster) {
    List<String> gpus = cluster.gpus(2);
    String namespace = cluster.namespace("first-come", Map.of());
    for (String name : List.of("first", "second")) {
      cluster.apply(POD.with("namespace", namespace).with("name", name));
      cluster.awaitReady(namespace, name);
    }
    cluster.apply(POD.with("namespace", namespace).with("name", "third"));

    assertThat(visibleGpus(cluster, namespace, "first")).isEqualTo(gpus.get(0));
    assertThat(visibleGpus(cluster, namespace, "second")).isEqualTo(gpus.get(1));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .client()
                            .pods()
                            .inNamespace(namespace)
                            .withName("third")
                            .require()
                            .getStatus()
                            .getConditions())
                    .extracting(PodCondition::getMessage)
                    .anySatisfy(why -> assertThat(why).contains("Insufficient nvidia.com/gpu")));
  }

  /** A pod is ready a moment before its first words are in its log. */
  private static String visibleGpus(TestCluster cluster, String namespace, String pod) {
    return await("the log of " + pod)
        .until(
            () -> cluster.client().pods().inNamespace(namespace).withName(pod).getLog().strip(),
            words -> !words.isEmpty());
  }
}
