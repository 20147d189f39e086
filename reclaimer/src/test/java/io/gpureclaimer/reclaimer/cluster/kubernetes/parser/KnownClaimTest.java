package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.PooledDevice;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownClaimTest {
  private static final String GPU_0 =
      "{request: gpu, driver: gpu.nvidia.com, pool: node-a, device: gpu-0}";
  private static final String GPU_1 =
      "{request: gpu, driver: gpu.nvidia.com, pool: node-a, device: gpu-1}";
  private static final PooledDevice FIRST = new PooledDevice("node-a", "gpu-0");
  private static final PooledDevice SECOND = new PooledDevice("node-a", "gpu-1");

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta2", "v1beta1"})
  void countsTheDevicesOfNvidiasDriver(String version) {
    assertThat(claim(version, GPU_0 + ", " + GPU_1))
        .isEqualTo(new KnownClaim(true, Set.of(FIRST, SECOND), false, Set.of("uid-a"), Map.of()));
  }

  @Test
  void countsADeviceOnce_whenTwoRequestsGotIt() {
    assertThat(claim("v1", GPU_0 + ", " + GPU_0.replace("request: gpu", "request: again")))
        .isEqualTo(new KnownClaim(true, Set.of(FIRST), false, Set.of("uid-a"), Map.of()));
  }

  @Test
  void doesNotCountObservedDevices() {
    assertThat(claim("v1", GPU_0 + ", " + GPU_1.replace("}", ", adminAccess: true}")))
        .isEqualTo(new KnownClaim(true, Set.of(FIRST), false, Set.of("uid-a"), Map.of()));
  }

  @Test
  void doesNotCountChannels() {
    assertThat(
            claim(
                "v1",
                "{request: c, driver: compute-domain.nvidia.com, pool: node-a, device: channel-0}"))
        .isEqualTo(new KnownClaim(true, Set.of(), false, Set.of("uid-a"), Map.of()));
  }

  @Test
  void seesWhatItCannotCount() {
    assertThat(claim("v1", "{request: c, driver: gpu.amd.com, pool: node-a, device: gpu-0}"))
        .isEqualTo(new KnownClaim(true, Set.of(), true, Set.of("uid-a"), Map.of()));
    assertThat(claim("v1", GPU_0.replace("}", ", shareID: a671734a-e8e5}")))
        .isEqualTo(new KnownClaim(true, Set.of(), true, Set.of("uid-a"), Map.of()));
  }

  @Test
  void hasNoDevices_beforeItIsAllocated() {
    assertThat(KnownClaim.of(read("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim")))
        .isEqualTo(new KnownClaim(false, Set.of(), false, Set.of(), Map.of()));
    assertThat(KnownClaim.of(read("kind: ResourceClaim\nstatus: {}")))
        .isEqualTo(new KnownClaim(false, Set.of(), false, Set.of(), Map.of()));
  }

  @Test
  void readsARequestOfDevicesByClassAndSelectors() {
    assertThat(
            requested(
                """
                requests:
                - {name: a, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 2}}
                - {name: b, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}}
                - name: c
                  exactly:
                    deviceClassName: mig.nvidia.com
                    allocationMode: ExactCount
                    count: 1
                    adminAccess: false
                    selectors: [{cel: {expression: small}}, {cel: {expression: new}}]
                """))
        .isEqualTo(
            Map.of(
                "deviceclass.resource.kubernetes.io/gpu.nvidia.com",
                3,
                "deviceclass.resource.kubernetes.io/mig.nvidia.com [small; new]",
                1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "requests: []",
        "requests: [{name: a, exactly: {deviceClassName: g, allocationMode: All}}]",
        "requests: [{name: a, exactly: {deviceClassName: g, allocationMode: ExactCount}}]",
        "requests: [{name: a, exactly: {deviceClassName: g, allocationMode: ExactCount, count: 1,"
            + " adminAccess: true}}]",
        "requests: [{name: a, exactly: {deviceClassName: g, allocationMode: ExactCount, count: 1,"
            + " capacity: {requests: {memory: 1Gi}}}}]",
        "requests: [{name: a, firstAvailable: [{name: b, deviceClassName: g}]}]",
        "requests: [{name: a, deviceClassName: g, allocationMode: ExactCount, count: 1}]",
        "{requests: [{name: a, exactly: {deviceClassName: g, allocationMode: ExactCount, count: 1}}],"
            + " constraints: [{matchAttribute: a/b}]}",
        "{requests: [{name: a, exactly: {deviceClassName: g, allocationMode: ExactCount, count: 1}}],"
            + " config: [{opaque: {driver: d}}]}"
      })
  void readsNoRequest_thatSaysMore(String devices) {
    assertThat(requested(devices)).isEmpty();
  }

  private static Map<String, Integer> requested(String devices) {
    return KnownClaim.of(read("spec:\n  devices:\n" + devices.indent(4))).requested();
  }

  private static KnownClaim claim(String version, String results) {
    return KnownClaim.of(
        read(
            """
            apiVersion: resource.k8s.io/VERSION
            kind: ResourceClaim
            metadata: {namespace: ml, name: gpu}
            status:
              allocation:
                devices:
                  results: [RESULTS]
              reservedFor:
              - {resource: pods, name: train-0, uid: uid-a}
            """
                .replace("VERSION", version)
                .replace("RESULTS", results)));
  }

  private static GenericKubernetesResource read(String yaml) {
    return Yaml.read(yaml, GenericKubernetesResource.class);
  }
}
