package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Heap of what is kept of 10 000 owners, of what would undo or forbid an action on them, and of the
 * ResourceSlices of 10 000 nodes with eight GPUs.
 */
final class OwnersHeap {
  private static final int OWNERS = 10_000;
  private static final double MIB = 1024 * 1024;
  private static final Set<String> FIELDS =
      Set.of("/spec/replicas", "/metadata/labels/com.coder.workspace.id");

  private static final String METADATA =
      """
        namespace: team-NUMBER
        name: inference-server-NUMBER
        uid: 5f0c1f4e-9d0a-4c4e-8f5e-00000NUMBER
        resourceVersion: '18446744NUMBER'
        labels:
          app.kubernetes.io/name: inference-server
          app.kubernetes.io/instance: inference-server-NUMBER
          app.kubernetes.io/version: v1.2.3
          app.kubernetes.io/component: server
          app.kubernetes.io/managed-by: Helm
          helm.sh/chart: inference-server-1.2.3
        annotations:
          deployment.kubernetes.io/revision: '7'
          meta.helm.sh/release-name: inference-server-NUMBER
          meta.helm.sh/release-namespace: team-NUMBER
        managedFields:
        - manager: helm
          operation: Update
          fieldsV1: {'f:spec': {'f:replicas': {}}}
      """;

  private final KubernetesSerialization serialization = new KubernetesSerialization();

  private OwnersHeap() {}

  public static void main(String[] args) {
    var heap = new OwnersHeap();
    long owners = heap.of(GenericKubernetesResource.class, OwnersHeap::owner, DEPLOYMENT);
    long autoscalers = heap.of(HorizontalPodAutoscaler.class, KnownAutoscaler::of, AUTOSCALER);
    long budgets =
        heap.of(PodDisruptionBudget.class, each -> Optional.of(KnownBudget.of(each)), BUDGET);
    long labels = heap.of(Pod.class, pod -> Optional.of(PodParser.labels(pod)), POD);

    print("deployments", owners);
    print("autoscalers", autoscalers);
    print("budgets", budgets);
    print("labels", labels);
    print("all", owners + autoscalers + budgets + labels);
    print("slices", heap.of(GenericKubernetesResource.class, KnownSlice::of, slice()));
  }

  private static void print(String name, long bytes) {
    System.out.println(String.format(Locale.ROOT, "%s %.1f MiB", name, bytes / MIB));
  }

  private static Optional<Object> owner(HasMetadata object) {
    return Optional.of(MetadataParser.owner(object, "apps/v1", "Deployment", Optional.of(FIELDS)));
  }

  /** What is freed when all of them are forgotten. */
  private <T> long of(Class<T> type, Function<T, ? extends Optional<?>> reading, String yaml) {
    List<Object> kept = new ArrayList<>();
    for (String json : numbered(type, yaml)) {
      reading.apply(serialization.unmarshal(json, type)).ifPresent(kept::add);
    }
    if (kept.size() != OWNERS) {
      throw new IllegalStateException("only " + kept.size() + " objects of " + type + " were read");
    }
    long full = used();
    kept.clear();
    return full - used();
  }

  private <T> Iterable<String> numbered(Class<T> type, String yaml) {
    T first = serialization.unmarshal(yaml.replace("METADATA", METADATA), type);
    String json = serialization.asJson(first);
    return () ->
        IntStream.range(1_000_000, 1_000_000 + OWNERS)
            .mapToObj(number -> json.replace("NUMBER", Integer.toString(number)))
            .iterator();
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static String slice() {
    return SLICE
        + IntStream.range(0, 8)
            .mapToObj(gpu -> DEVICE.replace("INDEX", Integer.toString(gpu)))
            .collect(Collectors.joining());
  }

  private static final String SLICE =
      """
      kind: ResourceSlice
      apiVersion: resource.k8s.io/v1
      metadata:
      METADATA
      spec:
        driver: gpu.nvidia.com
        nodeName: gpu-node-NUMBER
        pool: {name: gpu-node-NUMBER, generation: 1, resourceSliceCount: 1}
        devices:
      """;

  private static final String DEVICE =
      """
        - name: gpu-INDEX
          attributes:
            type: {string: gpu}
            uuid: {string: GPU-5f0c1f4e-9d0a-4c4e-8f5e-INDEXNUMBER}
            productName: {string: NVIDIA H100 80GB HBM3}
            brand: {string: Nvidia}
            architecture: {string: Hopper}
            cudaComputeCapability: {version: 9.0.0}
            driverVersion: {version: 580.95.5}
          capacity:
            memory: {value: 81559Mi}
      """;

  private static final String DEPLOYMENT =
      """
      kind: Deployment
      apiVersion: apps/v1
      metadata:
      METADATA
      spec: {replicas: 3}
      """;

  private static final String AUTOSCALER =
      """
      kind: HorizontalPodAutoscaler
      apiVersion: autoscaling/v2
      metadata:
      METADATA
      spec:
        maxReplicas: 4
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: inference-server-NUMBER}
      """;

  private static final String BUDGET =
      """
      kind: PodDisruptionBudget
      apiVersion: policy/v1
      metadata:
      METADATA
      spec:
        minAvailable: 1
        selector: {matchLabels: {app.kubernetes.io/instance: inference-server-NUMBER}}
      status: {disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2}
      """;

  private static final String POD =
      """
      kind: Pod
      apiVersion: v1
      metadata:
      METADATA
      spec: {containers: []}
      """;
}
