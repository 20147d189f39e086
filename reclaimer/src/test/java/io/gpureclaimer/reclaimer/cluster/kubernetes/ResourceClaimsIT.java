package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.PodView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pods hold by resource claims. */
class ResourceClaimsIT {

  private final ClaimsApi api = new ClaimsApi();

  @AfterEach
  void tearDown() {
    api.close();
  }

  @ParameterizedTest(name = "of {0}, {1} is asked")
  @CsvSource({"v1 v1beta2 v1beta1,v1", "v1beta2 v1beta1,v1beta2", "v1beta1,v1beta1"})
  void countsThem_inTheNewestVersionThatTheServerHas(String served, String asked) {
    api.serve(served);
    PodView before = createPod("train-0", "gpu");
    api.claim(asked, "gpu", 2, before.ref().uid());

    assertThat(awaited(new Claimed.Devices(2)).untouchable()).isEmpty();
    assertThat(api.server().calls())
        .filteredOn(call -> call.contains("/resourceclaims"))
        .allMatch(call -> call.contains("/" + asked + "/"));
  }

  @Test
  void countsThemBesideWhatThePodRequests() {
    api.serve("v1");
    api.create(
        pod("train-0", "gpu")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}"));
    api.claim("v1", "gpu", 1, api.uidOf("train-0"));

    awaited(new Claimed.Devices(1));
    assertThat(look().getFirst().accelerators())
        .isEqualTo(new Accelerators(1, Map.of(), new Claimed.Devices(1), false));
    assertThat(api.cluster().fresh(look().getFirst().ref())).contains(look().getFirst());
  }

  @Test
  void cannotDecide_whileTheClaimIsNotThere() {
    api.serve("v1");
    createPod("train-0", "gpu");

    awaited(new Claimed.Unread("the resource claim ml/gpu is not known"));
  }

  @Test
  void cannotDecide_whileTheClaimIsReservedForAnotherProgram() {
    api.serve("v1");
    createPod("train-0", "gpu");
    api.claim("v1", "gpu", 1, "another-pod");

    awaited(new Claimed.Unread("the resource claim ml/gpu is not reserved for the pod"));
  }

  @Test
  void cannotDecide_whenTheServerHasNoClaims_andIsNotHinderedOtherwise() {
    api.server().force("GET", ClaimsApi.GROUP, 404, "no such group");
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
    api.serve("v1");
    createPod("train-0", "gpu");
    api.claim("v1", "gpu", 1, api.uidOf("train-0"), "another-pod");

    assertThat(awaited(new Claimed.Devices(1)).untouchable())
        .contains("shares the resource claim ml/gpu with other pods");
  }

  @Test
  void leavesOutPodsWhoseClaimsGaveNoDevice() {
    api.serve("v1");
    createPod("train-0", "gpu");
    api.claim("v1", "gpu", 0, api.uidOf("train-0"));

    await().until(() -> look().isEmpty());
  }

  @Test
  void asksForNoClaims_whileNoPodHasOne() {
    api.serve("v1");
    api.create(
        pod("train-0", "gpu")
            .replace("resourceClaims: [{name: it, resourceClaimName: gpu}]", "hostNetwork: false")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}"));

    await().until(() -> look().size() == 1);
    assertThat(api.server().calls()).noneMatch(call -> call.contains("resource.k8s.io"));
  }

  /** Its specification says so. Whether another pod could get them is not known. */
  @Test
  void countsGpusThatTheSchedulerGaveByAClaim_whereTheServerHasNone() {
    api.server().force("GET", ClaimsApi.GROUP, 404, "no such group");
    String requested =
        pod("train-0", "gpu")
            .replace("resourceClaims: [{name: it, resourceClaimName: gpu}]", "hostNetwork: false")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '2'}}}");
    api.create(
        requested.replace(
            "{phase: Running}",
            "{phase: Running, extendedResourceClaimStatus: {resourceClaimName: made,"
                + " requestMappings: [{containerName: main, requestName: container-0-request-0,"
                + " resourceName: nvidia.com/gpu}]}}"));

    await().until(() -> look().size() == 1);
    assertThat(look().getFirst().accelerators())
        .isEqualTo(Accelerators.whole(2).withSeveral(Set.of("nvidia.com/gpu")));
    assertThat(api.cluster().view().nodes()).isEmpty();
  }

  @Test
  void countsClaims_besideGpusThatTheSchedulerGaveByOne() {
    api.serve("v1");
    api.create(
        pod("train-0", "gpu")
            .replace("{name: main}", "{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}")
            .replace(
                "{phase: Running}",
                "{phase: Running, extendedResourceClaimStatus: {resourceClaimName: made,"
                    + " requestMappings: [{containerName: main, requestName: container-0-request-0,"
                    + " resourceName: nvidia.com/gpu}]}}"));
    api.claim("v1", "gpu", 1, api.uidOf("train-0"));

    awaited(new Claimed.Devices(1));
    assertThat(look().getFirst().accelerators())
        .isEqualTo(new Accelerators(1, Map.of(), new Claimed.Devices(1), false));
  }

  private PodView awaited(Claimed claimed) {
    return await()
        .until(
            this::look,
            pods -> pods.size() == 1 && pods.getFirst().accelerators().claimed().equals(claimed))
        .getFirst();
  }

  private List<PodView> look() {
    return await()
        .ignoreException(ClusterUnreachable.class)
        .until(api.cluster()::view, _ -> true)
        .pods();
  }

  private PodView createPod(String name, String claim) {
    api.create(pod(name, claim));
    return await().until(this::look, pods -> !pods.isEmpty()).getFirst();
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
}
