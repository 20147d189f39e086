package io.gpureclaimer.verification.scenario.scheduling;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.verification.scenario.harness.NodeProcess;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Nodes and pods of a trace as objects of a real API server, with a scheduler of their own. */
final class TracedApiObjects {
  /** Of the nodes. */
  static final String LABEL = "gpu-reclaimer.io/traced";

  private static final String SCHEDULER = "traced";
  private static final String GPU = "nvidia.com/gpu";

  private TracedApiObjects() {}

  /**
   * Starts the scheduler of the pods.
   *
   * @param parallelism how many nodes it searches at a time; kube-scheduler's default is 16
   */
  static NodeProcess scheduler(OwnCluster own, int parallelism) {
    String configuration =
        own.write(
            "traced-scheduler.yaml",
            String.format(
                Locale.ROOT,
                """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            parallelism: %d
            leaderElection: {leaderElect: false}
            clientConnection: {kubeconfig: /mnt/state/scheduler.kubeconfig, qps: 2000, burst: 2000}
            profiles:
              - schedulerName: %s
            """,
                parallelism,
                SCHEDULER));
    return own.start(
        "traced-scheduler", "kube-scheduler", "--config=" + configuration, "--secure-port=0");
  }

  /** A new namespace that accepts pods. */
  static String namespace(TestCluster cluster, String name, Map<String, String> annotations) {
    String namespace = cluster.namespace(name, annotations);
    await("the default service account")
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                cluster.client().serviceAccounts().inNamespace(namespace).withName("default").get()
                    != null);
    return namespace;
  }

  /** Deletes all pods of a namespace, and the nodes. */
  static void deleteAll(KubernetesClient client, String namespace) {
    client.pods().inNamespace(namespace).withGracePeriod(0).delete();
    client.nodes().withLabel(LABEL).delete();
  }

  /** Creates a node that KWOK plays if it runs, and that accepts pods at once. */
  static void create(KubernetesClient client, NodeSpec spec) {
    Map<String, Quantity> allocatable = quantities(spec.compute().orElseThrow());
    allocatable.put(GPU, new Quantity(Integer.toString(spec.gpus().size())));
    allocatable.put("pods", new Quantity("1000"));
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(spec.name())
            .withLabels(spec.labels())
            .addToLabels(LABEL, "yes")
            .addToAnnotations("kwok.x-k8s.io/node", "fake")
            .endMetadata()
            .withNewStatus()
            .withCapacity(allocatable)
            .withAllocatable(allocatable)
            .endStatus()
            .build();
    client.resource(node).create();
    // The API server taints each new node, and the controller manager removes that of a ready one.
    TestCluster.merge(client.nodes().withName(spec.name()), "{\"spec\": {\"taints\": null}}");
  }

  static Pod pod(String namespace, PodSpec spec) {
    Map<String, Quantity> requests = quantities(spec.requests());
    Map<String, Quantity> gpus = Map.of(GPU, new Quantity(Integer.toString(spec.gpus())));
    requests.putAll(gpus);
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(spec.name())
        .withLabels(spec.labels())
        .endMetadata()
        .withNewSpec()
        .withSchedulerName(SCHEDULER)
        .withNodeSelector(spec.placement().nodeSelector())
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .withNewResources()
        .withRequests(requests)
        .withLimits(gpus)
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  /** How many GPUs the pod requests. */
  static int gpus(Pod pod) {
    Quantity gpus = pod.getSpec().getContainers().getFirst().getResources().getLimits().get(GPU);
    return Objects.requireNonNull(gpus, GPU).getNumericalAmount().intValue();
  }

  /** Whether the scheduler bound the pod, or said that no node fits. */
  static boolean isAnswered(Pod pod) {
    return pod.getSpec().getNodeName() != null
        || pod.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False"));
  }

  private static Map<String, Quantity> quantities(ComputeResources compute) {
    Map<String, Quantity> quantities = new HashMap<>();
    if (compute.cpuMillis() > 0) {
      quantities.put("cpu", new Quantity(compute.cpuMillis() + "m"));
    }
    if (compute.memoryBytes() > 0) {
      quantities.put("memory", new Quantity(Long.toString(compute.memoryBytes())));
    }
    return quantities;
  }
}
