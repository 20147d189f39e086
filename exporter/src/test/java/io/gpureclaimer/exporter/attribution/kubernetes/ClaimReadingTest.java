package io.gpureclaimer.exporter.attribution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.exporter.attribution.ResourceClaims.Access;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimAllocation;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import io.gpureclaimer.exporter.attribution.kubernetes.ClaimFetcher.ClaimReading;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimReadingTest {
  private static final PublishedDevice GPU_0 = new PublishedDevice("node-a", "gpu-0");
  private static final PublishedDevice GPU_1 = new PublishedDevice("node-a", "gpu-1");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "v1; {name: watch, exactly: {deviceClassName: gpu, adminAccess: true}}",
        "v1beta2; {name: watch, exactly: {deviceClassName: gpu, adminAccess: true}}",
        "v1beta1; {name: watch, deviceClassName: gpu, adminAccess: true}"
      })
  void readsAdminAccess_inAllVersions(String version, String request) {
    assertThat(claim(version, "{devices: {requests: [" + request + "]}}", admin("watch", "gpu-0")))
        .isEqualTo(new ClaimAllocation(Set.of(), Set.of(GPU_0)));
  }

  @Test
  void distinguishesTheRequestsOfOneClaim() {
    assertThat(claim("v1", "{}", admin("watch", "gpu-0") + ", " + device("train", "gpu-1")))
        .isEqualTo(new ClaimAllocation(Set.of(GPU_1), Set.of(GPU_0)));
  }

  @Test
  void holdsWhatIsForBoth() {
    ClaimAllocation both =
        claim("v1", "{}", admin("watch", "gpu-0") + ", " + device("train", "gpu-0"));

    assertThat(both.access(GPU_0)).isEqualTo(Access.HOLDS);
  }

  /** Of such a request the name is {@code request/subrequest}; admin access it cannot have. */
  @Test
  void holdsWhatIsTheFirstThatWasThere() {
    assertThat(
            claim(
                "v1",
                "{devices: {requests: [{name: any, firstAvailable: [{name: large}]}]}}",
                device("any/large", "gpu-0")))
        .isEqualTo(new ClaimAllocation(Set.of(GPU_0), Set.of()));
  }

  @Test
  void holdsWhatIsSaidNotToBeForAdminAccess() {
    assertThat(claim("v1", "{}", device("train", "gpu-0").replace("}", ", adminAccess: false}")))
        .isEqualTo(new ClaimAllocation(Set.of(GPU_0), Set.of()));
  }

  @Test
  void leavesOutTheDevicesOfOtherDrivers() {
    assertThat(
            claim("v1", "{}", device("card", "gpu-0").replace("gpu.nvidia.com", "nic.example.com")))
        .isEqualTo(ClaimAllocation.NOTHING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "status: {}",
        "status: {allocation: {devices: {}}}",
        "status: {allocation: {devices: {results: []}}}",
        "status: {allocation: {devices: {results: nothing}}}",
        "status: {allocation: {devices: {results: [text, {driver: gpu.nvidia.com}]}}}",
      })
  void hasNothing_whileNothingIsAllocated(String status) {
    assertThat(read("v1", "spec: {}\n" + status)).isEqualTo(ClaimAllocation.NOTHING);
  }

  private static ClaimAllocation claim(String version, String spec, String results) {
    return read(
        version,
        "spec: " + spec + "\nstatus: {allocation: {devices: {results: [" + results + "]}}}");
  }

  private static ClaimAllocation read(String version, String rest) {
    return ClaimReading.of(
        Serialization.unmarshal(
            "apiVersion: resource.k8s.io/"
                + version
                + "\nkind: ResourceClaim\nmetadata: {name: gpus}\n"
                + rest,
            GenericKubernetesResource.class));
  }

  private static String device(String request, String name) {
    return "{request: " + request + ", driver: gpu.nvidia.com, pool: node-a, device: " + name + "}";
  }

  private static String admin(String request, String name) {
    return device(request, name).replace("}", ", adminAccess: true}");
  }
}
