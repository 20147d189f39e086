package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.reclaimer.cluster.ClaimableNode;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes offer that pods can allocate by claims alone. */
class ResourceSlicesIT {
  private static final String GPU = "nvidia.com/gpu";
  private static final String LIST =
      "/v1/resourceslices?fieldSelector=spec.driver%3Dgpu.nvidia.com&limit=500";

  private final ClaimsApi api = new ClaimsApi();

  @AfterEach
  void tearDown() {
    api.close();
  }

  @ParameterizedTest(name = "of {0}, {1} is asked")
  @CsvSource({"v1 v1beta2 v1beta1,v1", "v1beta2 v1beta1,v1beta2", "v1beta1,v1beta1"})
  void knowsFreeGpus_inTheNewestVersionThatTheServerHas(String served, String asked) {
    api.serve(served);
    publish(asked, 1, 4);
    createPodWithClaim();
    api.claim(asked, "gpu", 3, api.uidOf("train-0"));

    assertThat(awaitedFree(1).held()).isEqualTo(Map.of(api.uidOf("train-0"), Map.of(GPU, 3)));
    assertThat(api.server().calls())
        .filteredOn(call -> call.startsWith("GET ") && call.contains("/resourceslices"))
        .isNotEmpty()
        .allMatch(call -> call.contains("/" + asked + "/"))
        .allMatch(call -> call.contains("spec.driver%3Dgpu.nvidia.com"));
  }

  @Test
  void followsChanges_alsoAfterTheLastPodWithAClaimHasEnded() {
    api.serve("v1");
    publish("v1", 1, 4);
    createPodWithClaim();
    api.claim("v1", "gpu", 3, api.uidOf("train-0"));
    awaitedFree(1);

    publish("v1", 2, 6);
    awaitedFree(3);

    api.server().admin().pods().inNamespace("ml").withName("train-0").delete();
    api.server()
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
    api.serve("v1");
    publish("v1", 1, 4);
    api.create(
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
    api.claim("v1", "gpu", 2, api.uidOf("train-0"));

    assertThat(awaitedFree(2).held()).isEqualTo(Map.of(api.uidOf("train-0"), Map.of(GPU, 2)));
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
    api.serve("v1");
    api.server().force("GET", ClaimsApi.GROUP + LIST, 403, "resourceslices is forbidden");
    publish("v1", 1, 4);
    createPodWithClaim();
    api.claim("v1", "gpu", 3, api.uidOf("train-0"));

    await().until(() -> look().pods().getFirst().accelerators().claimedDevices() == 3);
    await().until(() -> api.server().calls().contains("GET " + ClaimsApi.GROUP + LIST));
    assertThat(look().scheduling().claimable()).isEmpty();

    api.server().relent("GET", ClaimsApi.GROUP + LIST);
    awaitedFree(1);
  }

  @Test
  void knowsNothing_andIsNotHinderedOtherwise_whereTheServerHasNoSlices() {
    api.server().force("GET", ClaimsApi.GROUP, 404, "no such group");
    createPodWithClaim();

    await()
        .until(
            () -> look().pods().getFirst().accelerators().claimed().toString().contains("got 404"));
    assertThat(look().scheduling().claimable()).isEmpty();
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
    return await().ignoreException(ClusterUnreachable.class).until(api.cluster()::view, _ -> true);
  }

  private void createPodWithClaim() {
    api.create(
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
    api.create(
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
}
