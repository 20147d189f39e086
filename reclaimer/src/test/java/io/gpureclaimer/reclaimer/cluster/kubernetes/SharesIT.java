package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** To how many devices namespaces are entitled, as the API server has it. */
class SharesIT {
  private static final String CORE =
      """
      {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "v1", "resources": [
        {"name": "resourcequotas", "namespaced": true, "kind": "ResourceQuota", "verbs": ["list"]}]}
      """;

  /** The mock server has no kinds without a namespace of groups that it does not know. */
  private static final String KUEUE =
      """
      {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "kueue.x-k8s.io/v1beta1",
       "resources": [
        {"name": "clusterqueues", "namespaced": true, "kind": "ClusterQueue", "verbs": ["list"]},
        {"name": "localqueues", "namespaced": true, "kind": "LocalQueue", "verbs": ["list"]},
        {"name": "workloads", "namespaced": true, "kind": "Workload", "verbs": ["list"]}]}
      """;

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
  void readsQuotasAndQueues_whileAPodIsPending() {
    server.forceText("GET", "/api/v1", CORE);
    server.force("GET", "/apis/kueue.x-k8s.io/v1beta2", 404, "not found");
    server.serve("kueue.x-k8s.io", "v1beta1", "ClusterQueue", "clusterqueues");
    server.serve("kueue.x-k8s.io", "v1beta1", "LocalQueue", "localqueues");
    server.forceText("GET", "/apis/kueue.x-k8s.io/v1beta1", KUEUE);
    pendingPod();
    create(
        """
        kind: ResourceQuota
        apiVersion: v1
        metadata: {namespace: web, name: gpus}
        status: {hard: {requests.nvidia.com/gpu: "4"}, used: {requests.nvidia.com/gpu: "2"}}
        """);
    create(
        """
        kind: ResourceQuota
        apiVersion: v1
        metadata: {namespace: web, name: more}
        status:
          hard: {requests.nvidia.com/gpu: "1", requests.nvidia.com/mig-1g.10gb: "9"}
          used: {requests.nvidia.com/gpu: "2", requests.nvidia.com/mig-1g.10gb: "3"}
        """);
    create(
        """
        kind: ClusterQueue
        apiVersion: kueue.x-k8s.io/v1beta1
        metadata: {namespace: none, name: research}
        spec:
          resourceGroups:
            - flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: "8"}, {name: nvidia.com/gpu.shared, nominalQuota: "8"}]}]
        status:
          flavorsUsage: [{name: h100, resources: [{name: nvidia.com/gpu, total: "12"}, {name: nvidia.com/gpu.shared, total: "9"}]}]
        """);
    create(localQueue("ml", "4"));
    create(localQueue("idle", "0"));

    await()
        .ignoreException(ClusterUnreachable.class)
        .until(
            () -> cluster.view().scheduling().shares(),
            Map.of(
                    "web",
                    List.of(
                        new GpuShare("ResourceQuota more", ResourceNames.GPU, 2, 1),
                        new GpuShare("ResourceQuota more", "nvidia.com/mig-1g.10gb", 3, 9)),
                    "ml",
                    List.of(new GpuShare("ClusterQueue research", ResourceNames.GPU, 12, 8)))
                ::equals);
  }

  /** Its name in the queue is chosen in the configuration of Kueue. */
  @Test
  void readsQuotasOfClaimedDevices_byWhatKueueAdmitted() {
    server.forceText("GET", "/api/v1", CORE);
    server.forceText(
        "GET",
        "/apis/resource.k8s.io",
        "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"versions\":[{\"version\":\"v1\"}]}");
    server.force("GET", "/apis/kueue.x-k8s.io/v1beta2", 404, "not found");
    server.serve("kueue.x-k8s.io", "v1beta1", "ClusterQueue", "clusterqueues");
    server.serve("kueue.x-k8s.io", "v1beta1", "LocalQueue", "localqueues");
    server.serve("kueue.x-k8s.io", "v1beta1", "Workload", "workloads");
    server.forceText("GET", "/apis/kueue.x-k8s.io/v1beta1", KUEUE);
    pendingPod();
    apply(
        """
        kind: Node
        apiVersion: v1
        metadata: {name: node-a}
        status: {conditions: [{type: Ready, status: 'True'}]}
        """);
    apply(
        """
        kind: Pod
        apiVersion: v1
        metadata: {namespace: ml, name: holder, annotations: {kueue.x-k8s.io/workload: job-holder}}
        spec: {nodeName: node-a, containers: [{name: main}], resourceClaims: [{name: it, resourceClaimName: gpu}]}
        status: {phase: Running}
        """);
    String uid =
        server.admin().pods().inNamespace("ml").withName("holder").get().getMetadata().getUid();
    apply(
        """
        kind: ResourceClaim
        apiVersion: resource.k8s.io/v1
        metadata: {namespace: ml, name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {devices: {results: [{driver: gpu.nvidia.com, pool: node-a, device: gpu-0}]}}
          reservedFor: [{resource: pods, name: holder, uid: UID}]
        """
            .replace("UID", uid));
    create(
        """
        kind: ClusterQueue
        apiVersion: kueue.x-k8s.io/v1beta1
        metadata: {namespace: none, name: research}
        spec:
          resourceGroups:
            - flavors: [{name: h100, resources: [{name: cpu, nominalQuota: "80"}, {name: claimed-gpus, nominalQuota: "1"}]}]
        status:
          flavorsUsage: [{name: h100, resources: [{name: cpu, total: "90"}, {name: claimed-gpus, total: "2"}]}]
        """);
    create(localQueue("ml", "2").replace("nvidia.com/gpu", "claimed-gpus"));
    create(
        """
        kind: Workload
        apiVersion: kueue.x-k8s.io/v1beta1
        metadata: {namespace: ml, name: job-holder}
        spec: {podSets: [{name: main, count: 1, template: {spec: {containers: [{name: main}]}}}]}
        status:
          admission:
            podSetAssignments: [{name: main, count: 1, resourceUsage: {claimed-gpus: "1"}}]
        """);

    await()
        .ignoreException(ClusterUnreachable.class)
        .until(
            () -> cluster.view().scheduling().shares(),
            Map.of(
                    "ml",
                    List.of(
                        new GpuShare(
                            "ClusterQueue research",
                            "deviceclass.resource.kubernetes.io/gpu.nvidia.com",
                            2,
                            1)))
                ::equals);
  }

  @Test
  void knowsNoShares_whereQuotasMustNotBeRead_andLooksAllTheSame() {
    server.forceText("GET", "/api/v1", CORE);
    server.force("GET", "/api/v1/resourcequotas?limit=500", 403, "forbidden");
    server.force("GET", "/apis/kueue.x-k8s.io/v1beta2", 404, "not found");
    server.force("GET", "/apis/kueue.x-k8s.io/v1beta1", 404, "not found");
    pendingPod();

    ClusterView view =
        await()
            .ignoreException(ClusterUnreachable.class)
            .until(
                cluster::view,
                seen ->
                    seen.pods().size() == 1
                        && server.calls().contains("GET /api/v1/resourcequotas?limit=500"));
    assertThat(view.scheduling().shares()).isEmpty();
  }

  @Test
  void asksForNothing_whileNoPodIsPending() {
    await().ignoreException(ClusterUnreachable.class).until(cluster::view, _ -> true);

    assertThat(server.calls()).noneMatch(call -> call.contains("resourcequotas"));
  }

  private static String localQueue(String namespace, String gpus) {
    return """
    kind: LocalQueue
    apiVersion: kueue.x-k8s.io/v1beta1
    metadata: {namespace: NAMESPACE, name: jobs}
    spec: {clusterQueue: research}
    status: {flavorUsage: [{name: h100, resources: [{name: nvidia.com/gpu, total: "GPUS"}]}]}
    """
        .replace("NAMESPACE", namespace)
        .replace("GPUS", gpus);
  }

  private void pendingPod() {
    server
        .admin()
        .resource(
            (HasMetadata)
                new KubernetesSerialization()
                    .unmarshal(
                        """
                        ---
                        kind: Pod
                        apiVersion: v1
                        metadata: {namespace: ml, name: train}
                        spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: "1"}}}]}
                        status:
                          phase: Pending
                          conditions:
                            - type: PodScheduled
                              status: "False"
                              reason: Unschedulable
                              message: "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."
                              lastTransitionTime: "2026-03-02T12:00:00Z"
                        """))
        .create();
  }

  private void apply(String yaml) {
    HasMetadata item = new KubernetesSerialization().unmarshal("---\n" + yaml);
    server.admin().resource(item).create();
  }

  /** Of kinds that it does not know, the mock server takes the status by itself only. */
  private void create(String yaml) {
    GenericKubernetesResource object =
        new KubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
    server.admin().resource(object).create();
    if (object.getApiVersion().startsWith("kueue")) {
      server.admin().resource(object).updateStatus();
    }
  }
}
