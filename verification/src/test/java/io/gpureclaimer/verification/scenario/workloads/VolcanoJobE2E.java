package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
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
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An idle Job of Volcano: aborted and resumed by Commands with the shipped rights and the shipped
 * admission policy. Its controller is a stand-in, which deletes a Command before it obeys it.
 */
@OnCluster
@Tag("nightly")
class VolcanoJobE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String POD = "it-worker-0";
  private static final ResourceDefinitionContext JOBS = context("batch.volcano.sh", "Job");
  private static final ResourceDefinitionContext COMMANDS = context("bus.volcano.sh", "Command");

  private final TestCluster cluster;
  private final Replicas replicas;
  private final StubPrometheus prometheus;

  VolcanoJobE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
  }

  @Test
  void isAbortedAndResumed_byOneCommandEach() {
    cluster.gpus(1);
    cluster.apply(Manifest.shipped("reclaimer-admission-writes.yaml"));
    cluster.apply(Manifest.beside(VolcanoJobE2E.class, "volcano.yaml"));
    for (ResourceDefinitionContext kind : List.of(JOBS, COMMANDS)) {
      await(kind.getKind() + " is served")
          .atMost(SOON)
          .until(
              () ->
                  cluster
                      .client()
                      .supports(kind.getGroup() + "/" + kind.getVersion(), kind.getKind()));
    }
    String namespace = TestNamespace.withMode(cluster, "always").namespace();
    create(namespace);
    prometheus.showsIdle(cluster.awaitReady(namespace, POD));
    replicas.start("reclaimer", prometheus, PACE);

    await("the Command").atMost(SOON).until(() -> commands(namespace).size() == 1);
    GenericKubernetesResource abort = commands(namespace).getFirst();
    assertThat(abort.<String>get("action")).isEqualTo("AbortJob");
    assertThat(abort.<String>get("target", "uid"))
        .isEqualTo(job(namespace).require().getMetadata().getUid());
    assertThat(Records.states(cluster, namespace)).hasSize(1);
    Records.awaitStates(cluster, namespace, 1, "Acting", SOON);
    assertThat(commands(namespace)).hasSize(1);

    take(abort);
    phase(namespace, "Aborting");
    cluster.client().pods().inNamespace(namespace).withName(POD).withGracePeriod(0).delete();
    Records.awaitStates(cluster, namespace, 1, "Reclaimed", SOON);
    phase(namespace, "Aborted");

    Records.askForRestore(cluster, namespace);
    Records.awaitStates(cluster, namespace, 1, "Restored", SOON);
    assertThat(commands(namespace))
        .singleElement()
        .satisfies(resume -> assertThat(resume.<String>get("action")).isEqualTo("ResumeJob"));
  }

  private void create(String namespace) {
    var manifest =
        new Manifest(
            """
            apiVersion: batch.volcano.sh/v1alpha1
            kind: Job
            metadata: {name: it, namespace: "${namespace}"}
            spec: {maxRetry: 3, minAvailable: 1}
            """);
    String uid =
        cluster.apply(manifest.with("namespace", namespace)).getFirst().getMetadata().getUid();
    phase(namespace, "Running");
    cluster.apply(
        Manifest.beside(VolcanoJobE2E.class, "ownedpod.yaml")
            .with("name", POD)
            .with("namespace", namespace)
            .with("apiVersion", "batch.volcano.sh/v1alpha1")
            .with("kind", "Job")
            .with("uid", uid));
  }

  private void phase(String namespace, String phase) {
    job(namespace)
        .editStatus(
            found -> {
              found.setAdditionalProperty("status", Map.of("state", Map.of("phase", phase)));
              return found;
            });
  }

  /** Volcano does so, and only then obeys. */
  private void take(GenericKubernetesResource command) {
    cluster.client().resource(command).delete();
  }

  private Resource<GenericKubernetesResource> job(String namespace) {
    return cluster.client().genericKubernetesResources(JOBS).inNamespace(namespace).withName("it");
  }

  private List<GenericKubernetesResource> commands(String namespace) {
    return cluster
        .client()
        .genericKubernetesResources(COMMANDS)
        .inNamespace(namespace)
        .list()
        .getItems();
  }

  private static ResourceDefinitionContext context(String group, String kind) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion("v1alpha1")
        .withKind(kind)
        .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
        .withNamespaced(true)
        .build();
  }
}
