package io.gpureclaimer.verification.scenario.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.gpureclaimer.verification.deploy.Examples;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real API server takes the examples, with the policy in force that refuses bad annotations. */
@OnCluster
class ExamplesE2E {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final TestCluster cluster;
  private final String namespace;

  ExamplesE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.namespace = cluster.namespace("examples", Map.of());
    cluster.apply(Manifest.shipped("reclaimer-admission.yaml"));
    Examples.manifests().stream()
        .flatMap(file -> Examples.objects(file).stream())
        .filter(PriorityClass.class::isInstance)
        .distinct()
        .forEach(cluster::apply);
  }

  static List<Path> manifests() {
    return Examples.manifests();
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void areTaken(Path file) {
    for (HasMetadata object : Examples.objects(file)) {
      if (!(object instanceof Namespace || object instanceof PriorityClass)) {
        object.getMetadata().setNamespace(namespace);
      }
      assertThat(cluster.client().resource(object).dryRun().serverSideApply())
          .as(object.getMetadata().getName())
          .isNotNull();
    }
  }

  @Test
  void theLimitRangeGivesNoGpusToWhoAsksForNone_andRefusesWhoAsksForTooMany() {
    LimitRange limits =
        Examples.manifests().stream()
            .flatMap(file -> Examples.objects(file).stream())
            .filter(LimitRange.class::isInstance)
            .map(LimitRange.class::cast)
            .findFirst()
            .orElseThrow();
    limits.getMetadata().setNamespace(namespace);
    cluster.apply(limits);

    await("the limits")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(limitsOf(pod(Optional.empty()))).containsKey("memory"));
    assertThat(limitsOf(pod(Optional.empty()))).containsEntry("nvidia.com/gpu", new Quantity("0"));
    assertThatThrownBy(() -> pod(Optional.of("5")))
        .hasMessageContaining("maximum nvidia.com/gpu usage per Container is 4, but limit is 5");
  }

  private static Map<String, Quantity> limitsOf(Pod pod) {
    return pod.getSpec().getContainers().getFirst().getResources().getLimits();
  }

  /** What would become of a pod that asks for so many GPUs. */
  private Pod pod(Optional<String> gpus) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("tried")
            .withNamespace(namespace)
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("main")
            .withImage("busybox")
            .withNewResources()
            .withLimits(
                gpus.map(count -> Map.of("nvidia.com/gpu", new Quantity(count))).orElse(Map.of()))
            .endResources()
            .endContainer()
            .endSpec()
            .build();
    return cluster.client().resource(pod).dryRun().create();
  }
}
