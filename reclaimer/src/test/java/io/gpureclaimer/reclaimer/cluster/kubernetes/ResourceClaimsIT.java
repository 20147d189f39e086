package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KubernetesCluster.WatchTerms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pods hold by resource claims. */
class ResourceClaimsIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String GROUP = "/apis/resource.k8s.io";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final KubernetesCluster cluster =
      KubernetesCluster.start(
          client, WatchTerms.usual(LIMIT), InstantSource.system(), MonotonicClock.SYSTEM);

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
  void countsThem_inTheNewestVersionThatTheServerHas(String served, String asked) {
    serve(served);
    PodView before = createPod("train-0", "gpu");
    claim(asked, "gpu", 2, before.ref().uid());

    assertThat(awaited(new Claimed.Devices(2)).untouchable()).isEmpty();
    assertThat(server.calls())
        .filteredOn(call -> call.contains("/resourceclaims"))
        .allMatch(call -> call.contains("/" + asked + "/"));
  }

  @Test
  void countsThemBesideWhatThePodRequests() {
    serve("v1");
    apply(
        pod("train-0", "gpu")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}"));
    claim("v1", "gpu", 1, uid("train-0"));

    awaited(new Claimed.Devices(1));
    assertThat(look().getFirst().accelerators())
        .isEqualTo(new Accelerators(1, Map.of(), new Claimed.Devices(1), false));
    assertThat(cluster.fresh(look().getFirst().ref())).contains(look().getFirst());
  }

  @Test
  void cannotDecide_whileTheClaimIsNotThere() {
    serve("v1");
    createPod("train-0", "gpu");

    awaited(new Claimed.Unread("the resource claim ml/gpu is not known"));
  }

  @Test
  void cannotDecide_whileTheClaimIsReservedForAnotherProgram() {
    serve("v1");
    createPod("train-0", "gpu");
    claim("v1", "gpu", 1, "another-pod");

    awaited(new Claimed.Unread("the resource claim ml/gpu is not reserved for the pod"));
  }

  @Test
  void cannotDecide_whenTheServerHasNoClaims_andIsNotHinderedOtherwise() {
    server.force("GET", GROUP, 404, "no such group");
    createPod("train-0", "gpu");

    await()
        .untilAsserted(
            () ->
                assertThat(look().getFirst().accelerators().claimed())
                    .asString()
                    .contains(
                        "resource claims cannot be read: get /apis/resource.k8s.io: expected its"
                            + " versions, got 404: no such group"));
  }

  @Test
  void isOffLimits_whenSeveralPodsHoldTheClaim() {
    serve("v1");
    createPod("train-0", "gpu");
    claim("v1", "gpu", 1, uid("train-0"), "another-pod");

    assertThat(awaited(new Claimed.Devices(1)).untouchable())
        .contains("shares the resource claim ml/gpu with other pods");
  }

  @Test
  void leavesOutPodsWhoseClaimsGaveNoDevice() {
    serve("v1");
    createPod("train-0", "gpu");
    claim("v1", "gpu", 0, uid("train-0"));

    await().until(() -> look().isEmpty());
  }

  @Test
  void asksForNoClaims_whileNoPodHasOne() {
    serve("v1");
    apply(
        pod("train-0", "gpu")
            .replace("resourceClaims: [{name: it, resourceClaimName: gpu}]", "hostNetwork: false")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}"));

    await().until(() -> look().size() == 1);
    assertThat(server.calls()).noneMatch(call -> call.contains("resource.k8s.io"));
  }

  /** Its specification says so. Whether another pod could get them is not known. */
  @Test
  void countsGpusThatTheSchedulerGaveByAClaim_whereTheServerHasNone() {
    server.force("GET", GROUP, 404, "no such group");
    String requested =
        pod("train-0", "gpu")
            .replace("resourceClaims: [{name: it, resourceClaimName: gpu}]", "hostNetwork: false")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '2'}}}");
    apply(
        requested.replace(
            "{phase: Running}",
            "{phase: Running, extendedResourceClaimStatus: {resourceClaimName: made,"
                + " requestMappings: [{containerName: main, requestName: container-0-request-0,"
                + " resourceName: nvidia.com/gpu}]}}"));

    await().until(() -> look().size() == 1);
    assertThat(look().getFirst().accelerators())
        .isEqualTo(Accelerators.whole(2).withSeveral(Set.of("nvidia.com/gpu")));
    assertThat(cluster.view().nodes()).isEmpty();
  }

  @Test
  void countsClaims_besideGpusThatTheSchedulerGaveByOne() {
    serve("v1");
    apply(
        pod("train-0", "gpu")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}")
            .replace(
                "{phase: Running}",
                "{phase: Running, extendedResourceClaimStatus: {resourceClaimName: made,"
                    + " requestMappings: [{containerName: main, requestName: container-0-request-0,"
                    + " resourceName: nvidia.com/gpu}]}}"));
    claim("v1", "gpu", 1, uid("train-0"));

    awaited(new Claimed.Devices(1));
    assertThat(look().getFirst().accelerators())
        .isEqualTo(new Accelerators(1, Map.of(), new Claimed.Devices(1), false));
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

  private PodView awaited(Claimed claimed) {
    return await()
        .until(
            this::look,
            pods -> pods.size() == 1 && pods.getFirst().accelerators().claimed().equals(claimed))
        .getFirst();
  }

  private List<PodView> look() {
    return await().ignoreException(ClusterUnreachable.class).until(cluster::view, _ -> true).pods();
  }

  private PodView createPod(String name, String claim) {
    apply(pod(name, claim));
    return await().until(this::look, pods -> !pods.isEmpty()).getFirst();
  }

  private String uid(String pod) {
    return server.admin().pods().inNamespace("ml").withName(pod).get().getMetadata().getUid();
  }

  private static String pod(String name, String claim) {
    return """
    kind: Pod
    apiVersion: v1
    metadata: {namespace: ml, name: NAME}
    spec:
      nodeName: node-a
      containers: [{name: main}]
      resourceClaims: [{name: it, resourceClaimName: CLAIM}]
    status: {phase: Running}
    """
        .replace("NAME", name)
        .replace("CLAIM", claim);
  }

  private void claim(String version, String name, int devices, String... holders) {
    String results =
        IntStream.range(0, devices)
            .mapToObj(i -> "{driver: gpu.nvidia.com, pool: node-a, device: gpu-" + i + "}")
            .collect(Collectors.joining(", "));
    String reserved =
        Stream.of(holders)
            .map(uid -> "{resource: pods, name: p, uid: " + uid + "}")
            .collect(Collectors.joining(", "));
    apply(
        """
        kind: ResourceClaim
        apiVersion: resource.k8s.io/VERSION
        metadata: {namespace: ml, name: NAME}
        status:
          allocation: {devices: {results: [RESULTS]}, nodeSelector: {}}
          reservedFor: [HOLDERS]
        """
            .replace("VERSION", version)
            .replace("NAME", name)
            .replace("RESULTS", results)
            .replace("HOLDERS", reserved));
  }

  private void apply(String yaml) {
    HasMetadata item = new KubernetesSerialization().unmarshal("---\n" + yaml);
    server.admin().resource(item).create();
  }
}
