package io.gpureclaimer.verification.scenario.scheduling;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.reclaimer.simulate.TracedObjects;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a kube-scheduler of its own binds the pods of a trace, on nodes that are only objects. The
 * controller manager stands still meanwhile, because it would taint nodes without a kubelet.
 * Confined to the thread of the test.
 */
final class RealPlacements {
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private final TestCluster cluster;
  private final KubernetesClient client;
  private final OwnCluster own;

  RealPlacements(TestCluster cluster, OwnCluster own) {
    this.cluster = cluster;
    this.client = cluster.client();
    this.own = own;
  }

  /** The nodes that the cluster has by itself. */
  List<String> otherNodes() {
    return client.nodes().list().getItems().stream()
        .map(node -> node.getMetadata().getName())
        .toList();
  }

  /**
   * The node of each pod, in the order of the trace; empty for pending pods.
   *
   * @param parallelism how many nodes are searched at a time
   */
  Map<String, Optional<String>> place(WorkloadTrace trace, int parallelism) {
    String namespace = TracedApiObjects.namespace(cluster, "agreement", Map.of());
    try (var _ = own.freeze("kube-controller-manager")) {
      TracedObjects.nodes(trace).forEach(node -> TracedApiObjects.create(client, node));
      try (NodeProcess scheduler = TracedApiObjects.scheduler(own, parallelism)) {
        List<String> names = new ArrayList<>();
        trace.workloads().stream()
            .flatMap(workload -> TracedObjects.pods(workload).stream())
            .forEach(
                pod -> {
                  names.add(pod.name());
                  client.resource(TracedApiObjects.pod(namespace, pod)).create();
                });
        return await("the scheduler answered each pod")
            .atMost(LIMIT)
            .pollInterval(Duration.ofSeconds(1))
            .until(
                () -> {
                  scheduler.requireRunning();
                  return placements(namespace, names);
                },
                found -> found.size() == names.size());
      }
    } finally {
      TracedApiObjects.deleteAll(client, namespace);
    }
  }

  private Map<String, Optional<String>> placements(String namespace, List<String> names) {
    Map<String, Pod> pods = new HashMap<>();
    client
        .pods()
        .inNamespace(namespace)
        .list()
        .getItems()
        .forEach(pod -> pods.put(pod.getMetadata().getName(), pod));
    Map<String, Optional<String>> placed = new LinkedHashMap<>();
    for (String name : names) {
      Pod pod = pods.get(name);
      if (pod != null && TracedApiObjects.isAnswered(pod)) {
        placed.put(name, Optional.ofNullable(pod.getSpec().getNodeName()));
      }
    }
    return placed;
  }
}
