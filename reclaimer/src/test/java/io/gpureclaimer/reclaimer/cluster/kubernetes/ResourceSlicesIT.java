package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes offer that pods can allocate by claims alone. */
class ResourceSlicesIT {
  private static final String GPU = "nvidia.com/gpu";
  private static final String GROUP = "/apis/resource.k8s.io";
  private static final String LIST =
      "/v1/resourceslices?fieldSelector=spec.driver%3Dgpu.nvidia.com&limit=500";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(
          client,
          WatchTerms.usual(Duration.ofMinutes(2)),
          InstantSource.system(),
          MonotonicClock.SYSTEM);

  @BeforeEach
  void setUp() {
    apply(
        """
        kind: Node
        apiVersion: v1
        metadata: {name: node-a}
        status: {conditions: [{type: Ready, status: 'True'}]}
        """);
  }

  @AfterEach
  void tearDown() {
    cluster.close();
    client.close();
    server.close();
  }

  @ParameterizedTest(name = "of {0}, {1} is asked")
  @CsvSource({"v1 v1beta2 v1beta1,v1", "v1beta2 v1beta1,v1beta2", "v1beta1,v1beta1"})
  void knowsFreeGpus_inTheNewestVersionThatTheServerHas(String served, String asked) {
    serve(served);
    publish(asked, 1, 4);
    createPodWithClaim();
    allocate(asked, 3);

    assertThat(awaitedFree(1).held()).isEqualTo(Map.of(uid(), Map.of(GPU, 3)));
    assertThat(server.calls())
        .filteredOn(call -> call.startsWith("GET ") && call.contains("/resourceslices"))
        .isNotEmpty()
        .allMatch(call -> call.contains("/" + asked + "/"))
        .allMatch(call -> call.contains("spec.driver%3Dgpu.nvidia.com"));
  }

  @Test
  void followsChanges_alsoAfterTheLastPodWithAClaimHasEnded() {
    serve("v1");
    publish("v1", 1, 4);
    createPodWithClaim();
    allocate("v1", 3);
    awaitedFree(1);

    publish("v1", 2, 6);
    awaitedFree(3);

    server.admin().pods().inNamespace("ml").withName("train-0").delete();
    server
        .admin()
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
        .inNamespace("ml")
        .withName("gpu")
        .delete();
    awaitedFree(6);
  }

  /** Its claim is not in its specification. */
  @Test
  void knowsFreeGpus_whereAPodRequestsThemAsAnExtendedResource() {
    serve("v1");
    publish("v1", 1, 4);
    apply(
        """
        kind: Pod
        apiVersion: v1
        metadata: {namespace: ml, name: train-0}
        spec:
          nodeName: node-a
          containers: [{name: main, resources: {limits: {nvidia.com/gpu: '2'}}}]
        status:
          phase: Running
          extendedResourceClaimStatus:
            resourceClaimName: gpu
            requestMappings: [{containerName: main, resourceName: nvidia.com/gpu, requestName: r}]
        """);
    allocate("v1", 2);

    assertThat(awaitedFree(2).held()).isEqualTo(Map.of(uid(), Map.of(GPU, 2)));
    assertThat(look().pods().getFirst().accelerators().devices()).isEqualTo(2);
    assertThat(requestedByClaims()).isEqualTo(Map.of(GPU, 2));
    assertThat(look().nodes()).extracting(NodeView::name).containsExactly("node-a");

    publish("v1", 2, 1);
    await().until(() -> look().scheduling().claimable().isEmpty());
    assertThat(requestedByClaims()).as("the driver lost a GPU of the pod").isEmpty();
  }

  private Map<String, Integer> requestedByClaims() {
    return look().pods().getFirst().accelerators().requestedByClaims();
  }

  @Test
  void knowsNothing_andIsNotHinderedOtherwise_whileItMayNotReadSlices() {
    serve("v1");
    server.force("GET", GROUP + LIST, 403, "resourceslices is forbidden");
    publish("v1", 1, 4);
    createPodWithClaim();
    allocate("v1", 3);

    await().until(() -> look().pods().getFirst().accelerators().claimedDevices() == 3);
    await().until(() -> server.calls().contains("GET " + GROUP + LIST));
    assertThat(look().scheduling().claimable()).isEmpty();

    server.relent("GET", GROUP + LIST);
    awaitedFree(1);
  }

  @Test
  void knowsNothing_andIsNotHinderedOtherwise_whereTheServerHasNoSlices() {
    server.force("GET", GROUP, 404, "no such group");
    createPodWithClaim();

    await()
        .until(
            () -> look().pods().getFirst().accelerators().claimed().toString().contains("got 404"));
    assertThat(look().scheduling().claimable()).isEmpty();
  }

  private void serve(String versions) {
    String listed =
        Stream.of(versions.split(" ", -1))
            .map(version -> "{\"version\":\"" + version + "\"}")
            .collect(Collectors.joining(","));
    server.forceText(
        "GET",
        GROUP,
        "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"versions\":[" + listed + "]}");
  }

  private ClaimableNode awaitedFree(int gpus) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> look().scheduling().claimable(),
            nodes -> nodes.size() == 1 && nodes.getFirst().free().equals(Map.of(GPU, gpus)))
        .getFirst();
  }

  private ClusterView look() {
    return await().ignoreException(ClusterUnreachable.class).until(cluster::view, _ -> true);
  }

  private String uid() {
    return server.admin().pods().inNamespace("ml").withName("train-0").get().getMetadata().getUid();
  }

  private void createPodWithClaim() {
    apply(
        """
        kind: Pod
        apiVersion: v1
        metadata: {namespace: ml, name: train-0}
        spec:
          nodeName: node-a
          containers: [{name: main}]
          resourceClaims: [{name: it, resourceClaimName: gpu}]
        status: {phase: Running}
        """);
    await().until(() -> !look().pods().isEmpty());
  }

  /** A slice of each generation, as the driver makes them. */
  private void publish(String version, int generation, int gpus) {
    String fields = "attributes: {type: {string: gpu}}";
    String described = version.equals("v1beta1") ? "basic: {" + fields + "}" : fields;
    apply(
        """
        kind: ResourceSlice
        apiVersion: resource.k8s.io/VERSION
        metadata: {name: slice-GENERATION}
        spec:
          driver: gpu.nvidia.com
          nodeName: node-a
          pool: {name: node-a, generation: GENERATION, resourceSliceCount: 1}
          devices: [DEVICES]
        """
            .replace("VERSION", version)
            .replace("GENERATION", String.valueOf(generation))
            .replace(
                "DEVICES",
                IntStream.range(0, gpus)
                    .mapToObj(i -> "{name: gpu-" + i + ", " + described + "}")
                    .collect(Collectors.joining(", "))));
  }

  private void allocate(String version, int devices) {
    apply(
        """
        kind: ResourceClaim
        apiVersion: resource.k8s.io/VERSION
        metadata: {namespace: ml, name: gpu}
        status:
          allocation: {devices: {results: [RESULTS]}, nodeSelector: {}}
          reservedFor: [{resource: pods, name: train-0, uid: UID}]
        """
            .replace("VERSION", version)
            .replace("UID", uid())
            .replace(
                "RESULTS",
                IntStream.range(0, devices)
                    .mapToObj(i -> "{driver: gpu.nvidia.com, pool: node-a, device: gpu-" + i + "}")
                    .collect(Collectors.joining(", "))));
  }

  private void apply(String yaml) {
    HasMetadata item = new KubernetesSerialization().unmarshal("---\n" + yaml);
    server.admin().resource(item).create();
  }
}
