package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownClaimTest {
  private static final String GPU_0 =
      "{request: gpu, driver: gpu.nvidia.com, pool: node-a, device: gpu-0}";
  private static final String GPU_1 =
      "{request: gpu, driver: gpu.nvidia.com, pool: node-a, device: gpu-1}";

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta2", "v1beta1"})
  void countsTheDevicesOfNvidiasDriver(String version) {
    assertThat(claim(version, GPU_0 + ", " + GPU_1))
        .isEqualTo(new KnownClaim(true, 2, false, Set.of("uid-a")));
  }

  @Test
  void countsADeviceOnce_whenTwoRequestsGotIt() {
    assertThat(claim("v1", GPU_0 + ", " + GPU_0.replace("request: gpu", "request: again")))
        .isEqualTo(new KnownClaim(true, 1, false, Set.of("uid-a")));
  }

  @Test
  void doesNotCountObservedDevices() {
    assertThat(claim("v1", GPU_0 + ", " + GPU_1.replace("}", ", adminAccess: true}")))
        .isEqualTo(new KnownClaim(true, 1, false, Set.of("uid-a")));
  }

  @Test
  void doesNotCountChannels() {
    assertThat(
            claim(
                "v1",
                "{request: c, driver: compute-domain.nvidia.com, pool: node-a, device: channel-0}"))
        .isEqualTo(new KnownClaim(true, 0, false, Set.of("uid-a")));
  }

  @Test
  void seesWhatItCannotCount() {
    assertThat(claim("v1", "{request: c, driver: gpu.amd.com, pool: node-a, device: gpu-0}"))
        .isEqualTo(new KnownClaim(true, 0, true, Set.of("uid-a")));
    assertThat(claim("v1", GPU_0.replace("}", ", shareID: a671734a-e8e5}")))
        .isEqualTo(new KnownClaim(true, 0, true, Set.of("uid-a")));
  }

  @Test
  void hasNoDevices_beforeItIsAllocated() {
    assertThat(KnownClaim.of(read("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim")))
        .isEqualTo(new KnownClaim(false, 0, false, Set.of()));
    assertThat(KnownClaim.of(read("kind: ResourceClaim\nstatus: {}")))
        .isEqualTo(new KnownClaim(false, 0, false, Set.of()));
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
