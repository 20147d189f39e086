package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Neighbors;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods of all kinds that run beside a pending GPU pod, as the API server has them. */
class NeighborsIT {
  private static final String PENDING =
      "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable,"
          + " lastTransitionTime: '2026-01-01T00:00:00Z', message: full}]";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(
          client, WatchTerms.usual(Duration.ofMinutes(2)), InstantSource.system(), () -> 0);

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @Test
  void knowsPodsAndNodesWithoutGpus_onlyWhileAPodIsPending_andTheirRequestsAlways() {
    create("{apiVersion: v1, kind: Node, metadata: {name: cpu-1, labels: {zone: a}}}");
    pod("web", "nodeName: cpu-1, containers: [{name: main}]", "phase: Running");
    pod("train", "nodeName: gpu-1, " + gpus(), "phase: Running");
    ClusterView without = awaited(view -> view.pods().size() == 1);
    assertThat(without.scheduling().neighbors())
        .isEqualTo(Neighbors.of(List.of(), List.of(), Map.of("cpu-1", Map.of("pods", 1_000L))));

    pod(
        "waiting",
        gpus()
            + ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}",
        PENDING);

    ClusterView view =
        awaited(
            seen ->
                seen.scheduling().neighbors().placed().size() == 2
                    && !seen.scheduling().neighbors().nodes().isEmpty());
    Neighbors neighbors = view.scheduling().neighbors();
    assertThat(neighbors.placed())
        .extracting(Neighbor::labels, Neighbor::node)
        .containsExactlyInAnyOrder(
            tuple(Map.of("app", "web"), Optional.of("cpu-1")),
            tuple(Map.of("app", "train"), Optional.of("gpu-1")));
    assertThat(neighbors.pending().values())
        .singleElement()
        .satisfies(pod -> assertThat(pod.rules().antiAffinity()).hasSize(1));
    assertThat(neighbors.nodes())
        .singleElement()
        .satisfies(node -> assertThat(node.labels()).isEqualTo(Map.of("zone", "a")));
    assertThat(view.nodes()).isEmpty();
    assertThat(view.pods()).hasSize(2);
  }

  @Test
  void resolvesNamespacesThatTermsSelectByLabels() {
    create("{apiVersion: v1, kind: Namespace, metadata: {name: ml, labels: {team: a}}}");
    create("{apiVersion: v1, kind: Namespace, metadata: {name: web, labels: {team: b}}}");
    pod(
        "web",
        "nodeName: cpu-1, containers: [{name: main}], " + apartFromTeam("a"),
        "phase: Running");
    pod("waiting", gpus() + ", " + apartFromTeam("b"), PENDING);

    Neighbors neighbors =
        awaited(
                seen ->
                    !namespaces(seen.scheduling().neighbors().placed()).isEmpty()
                        && !namespaces(seen.scheduling().neighbors().pending().values()).isEmpty())
            .scheduling()
            .neighbors();

    assertThat(namespaces(neighbors.placed())).isEqualTo(Set.of("ml"));
    assertThat(namespaces(neighbors.pending().values())).isEqualTo(Set.of("web"));
  }

  private static Set<String> namespaces(Collection<Neighbor> pods) {
    return pods.stream()
        .flatMap(pod -> pod.rules().antiAffinity().stream())
        .flatMap(term -> term.namespaces().stream())
        .collect(Collectors.toSet());
  }

  private static String apartFromTeam(String team) {
    return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
        + " [{topologyKey: zone, namespaceSelector: {matchLabels: {team: "
        + team
        + "}}}]}}";
  }

  private ClusterView awaited(Predicate<ClusterView> expected) {
    return await().ignoreException(ClusterUnreachable.class).until(cluster::view, expected);
  }

  private static String gpus() {
    return "containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]";
  }

  private void pod(String name, String spec, String status) {
    create(
        "{apiVersion: v1, kind: Pod, metadata: {namespace: ml, name: "
            + name
            + ", labels: {app: "
            + name
            + "}}, spec: {"
            + spec
            + "}, status: {"
            + status
            + "}}");
  }

  private void create(String yaml) {
    server
        .admin()
        .resource((HasMetadata) new KubernetesSerialization().unmarshal("---\n" + yaml))
        .create();
  }
}
