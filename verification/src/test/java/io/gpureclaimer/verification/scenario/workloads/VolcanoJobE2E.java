package io.gpureclaimer.verification.scenario.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.RealController;
import io.gpureclaimer.verification.scenario.harness.Records;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Idle Jobs of Volcano below its real controller: aborted and resumed by Commands with the shipped
 * rights and the shipped admission policy. Volcano's scheduler does not run: kube-scheduler binds
 * the pods, and the test admits their PodGroups.
 */
@OnCluster
@Tag("nightly")
class VolcanoJobE2E {
  private static final ShortIntervals INTERVALS =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration WHILE = Duration.ofSeconds(5);
  private static final ResourceDefinitionContext JOBS =
      context("batch.volcano.sh", "v1alpha1", "Job", "jobs");
  private static final ResourceDefinitionContext COMMANDS =
      context("bus.volcano.sh", "v1alpha1", "Command", "commands");
  private static final ResourceDefinitionContext POD_GROUPS =
      context("scheduling.volcano.sh", "v1beta1", "PodGroup", "podgroups");

  private final TestCluster cluster;
  private final String namespace;
  private NodeProcess controller;
  private final SharedIndexInformer<GenericKubernetesResource> podGroups;
  private Replicas replicas;
  private StubPrometheus prometheus;

  VolcanoJobE2E(TestCluster cluster) {
    this.cluster = cluster;
    this.controller = RealController.start(cluster, "volcano");
    this.namespace = TestNamespace.withMode(cluster, "always").namespace();
    this.podGroups = admitPodGroups();
  }

  /** Its replicas end with the test: one that goes on would keep the lease. */
  @BeforeEach
  void protect(Replicas replicas) {
    this.replicas = replicas;
    this.prometheus = replicas.prometheus();
    cluster.apply(Manifest.shipped("reclaimer-admission-writes.yaml"));
  }

  /** Before the kinds are removed, which the owners of its pods are of. */
  @AfterEach
  void end() {
    var ours = cluster.client().namespaces().withName(namespace);
    ours.delete();
    await("the namespace is gone").atMost(SOON).until(() -> ours.get() == null);
    podGroups.close();
    controller.close();
  }

  @Test
  void abortsAndResumesIt_asLongAsARetryIsLeft() {
    cluster.gpus(3);
    create("train", 2, 2);
    create("last", 1, 1);
    cluster.awaitReady(namespace, 3, SOON).forEach(prometheus::showsIdle);
    String before = specification("train");
    Replica replica = replicas.start("reclaimer", prometheus, INTERVALS);

    Records.awaitStates(cluster, namespace, 1, "Reclaimed", SOON);
    assertThat(podsOf("train")).isEmpty();
    assertThat(podsOf("last")).hasSize(1);
    assertThat(commands()).isEmpty();
    awaitPhase("train", "Aborted");
    assertThat(explanation(replica, "last")).contains("could not be resumed");
    useTheFreeGpus();

    Records.askForRestore(cluster, namespace);
    Records.awaitStates(cluster, namespace, 1, "Restored", SOON);
    awaitPhase("train", "Running");
    cluster.awaitReady(namespace, 3, SOON).forEach(prometheus::showsIdle);
    assertThat(specification("train")).isEqualTo(before);
    assertThat(job("train").require().<Integer>get("status", "retryCount")).isEqualTo(1);
    assertThat(commands()).isEmpty();
    await("the restored Job has no retry left")
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(explanation(replica, "train")).contains("could not be resumed"));
  }

  @Test
  void waitsForAControllerThatDoesNotRun() {
    cluster.gpus(1);
    create("train", 1, 3);
    Pod pod = cluster.awaitReady(namespace, 1, SOON).getFirst();
    prometheus.showsIdle(pod);
    controller.close();
    replicas.start("reclaimer", prometheus, INTERVALS);

    Records.awaitStates(cluster, namespace, 1, "Acting", SOON);
    assertThat(commands())
        .singleElement()
        .satisfies(
            command -> {
              assertThat(command.<String>get("action")).isEqualTo("AbortJob");
              assertThat(command.<String>get("target", "uid"))
                  .isEqualTo(job("train").require().getMetadata().getUid());
            });
    // The Command that waits is executed, whatever the Job does since.
    prometheus.showsBusy(pod);
    await("one Command waits").during(WHILE).atMost(SOON).until(() -> commands().size() == 1);
    assertThat(podsOf("train")).hasSize(1);

    controller = RealController.start(cluster, "volcano");

    Records.awaitStates(cluster, namespace, 1, "Reclaimed", SOON);
    awaitPhase("train", "Aborted");
    assertThat(podsOf("train")).isEmpty();
  }

  /** Why the reclaimer names the UID in the Command, and refuses the last retry. */
  @Test
  void itsControllerComparesNoUid_andFailsAJobWithoutRetries() {
    cluster.gpus(1);
    create("train", 1, 1);
    cluster.awaitReady(namespace, 1, SOON);

    command("AbortJob", "00000000-0000-0000-0000-000000000000");
    awaitPhase("train", "Aborted");
    command("ResumeJob", job("train").require().getMetadata().getUid());
    awaitPhase("train", "Failed");
  }

  private void create(String name, int pods, int maxRetry) {
    cluster.apply(
        Manifest.beside(VolcanoJobE2E.class, "volcano.yaml")
            .with("name", name)
            .with("namespace", namespace)
            .with("replicas", pods)
            .with("maxRetry", maxRetry));
  }

  private void useTheFreeGpus() {
    TestNamespace other = TestNamespace.withMode(cluster, "off");
    List.of("first", "second").forEach(other::start);
    cluster.client().pods().inNamespace(other.namespace()).withGracePeriod(0).delete();
  }

  private void command(String action, String uid) {
    cluster.apply(
        new Manifest(
                """
                apiVersion: bus.volcano.sh/v1alpha1
                kind: Command
                metadata: {name: "${name}", namespace: "${namespace}"}
                action: ${action}
                target: {apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: train, uid: "${uid}"}
                """)
            .with("name", action.toLowerCase(Locale.ROOT))
            .with("namespace", namespace)
            .with("action", action)
            .with("uid", uid));
  }

  /** As Volcano's scheduler does while its queue has room. */
  private SharedIndexInformer<GenericKubernetesResource> admitPodGroups() {
    var groups = cluster.client().genericKubernetesResources(POD_GROUPS).inNamespace(namespace);
    return groups.inform(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(GenericKubernetesResource group) {
            TestCluster.merge(groups.resource(group), "{\"status\":{\"phase\":\"Inqueue\"}}");
          }

          @Override
          public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource group) {}

          @Override
          public void onDelete(GenericKubernetesResource group, boolean unknown) {}
        });
  }

  private void awaitPhase(String name, String phase) {
    await(name + " is " + phase)
        .atMost(SOON)
        .untilAsserted(
            () -> {
              controller.requireRunning();
              assertThat(job(name).require().<String>get("status", "state", "phase"))
                  .isEqualTo(phase);
            });
  }

  private String explanation(Replica replica, String name) {
    return replica.get("/explain/" + namespace + "/Job/" + name).body();
  }

  private String specification(String name) {
    return Serialization.asJson(job(name).require().get("spec"));
  }

  private List<Pod> podsOf(String name) {
    return cluster.pods(namespace).stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(name + "-"))
        .toList();
  }

  private Resource<GenericKubernetesResource> job(String name) {
    return cluster.client().genericKubernetesResources(JOBS).inNamespace(namespace).withName(name);
  }

  private List<GenericKubernetesResource> commands() {
    return cluster
        .client()
        .genericKubernetesResources(COMMANDS)
        .inNamespace(namespace)
        .list()
        .getItems();
  }

  private static ResourceDefinitionContext context(
      String group, String version, String kind, String plural) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(true)
        .build();
  }
}
