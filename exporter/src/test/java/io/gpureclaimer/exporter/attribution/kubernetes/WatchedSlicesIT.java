package io.gpureclaimer.exporter.attribution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.kubernetes.RegisteredKinds;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.DeviceDescription;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.KnownDevices;
import io.gpureclaimer.exporter.attribution.ResourceSliceDevices.PublishedDevice;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WatchedSlicesIT {
  private static final String SLICES =
      "/resourceslices?fieldSelector=spec.nodeName%3Dnode-a&resourceVersion=0";

  private final AtomicLong nanos = new AtomicLong();
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client =
      FakeApiServer.connect(server.address(), RegisteredKinds.REGISTERED);

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void knowsTheDevicesOfItsNodeAndOfTheDriver() {
    create("v1", slice("a", "node-a", "gpu.nvidia.com", "node-a", 1, gpu("gpu-0", "GPU-a")));
    create("v1", slice("b", "node-b", "gpu.nvidia.com", "node-b", 1, gpu("gpu-0", "GPU-b")));
    create("v1", slice("c", "node-a", "nic.example.com", "nics", 1, gpu("nic-0", "NIC-c")));
    try (var devices = watch()) {
      awaitKnown(devices, Map.of(device("node-a", "gpu-0"), gpu("GPU-a")));
      create("v1", slice("d", "node-a", "gpu.nvidia.com", "migs", 1, mig("mig-1", "MIG-d")));
      awaitKnown(
          devices,
          Map.of(
              device("node-a", "gpu-0"),
              gpu("GPU-a"),
              device("migs", "mig-1"),
              new DeviceDescription("MIG-d", "1g.10gb")));
    }
  }

  @Test
  void believesTheNewestGenerationOfAPool() {
    create("v1", slice("a", "node-a", "gpu.nvidia.com", "p", 1, gpu("gpu-0", "GPU-old")));
    create("v1", slice("b", "node-a", "gpu.nvidia.com", "p", 2, gpu("gpu-0", "GPU-new")));
    try (var devices = watch()) {
      awaitKnown(devices, Map.of(device("p", "gpu-0"), gpu("GPU-new")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta2", "v1beta1"})
  void looksForAnOlderVersion_whenTheServerDoesNotHaveTheNewest(String version) {
    refuseAllBut(version);
    String device =
        version.equals("v1beta1")
            ? "{name: gpu-0, basic: {attributes: {uuid: {string: GPU-a}}}}"
            : gpu("gpu-0", "GPU-a");
    create(version, slice("a", "node-a", "gpu.nvidia.com", "p", 1, device));
    try (var devices = watch()) {
      awaitKnown(devices, Map.of(device("p", "gpu-0"), gpu("GPU-a")));
    }
  }

  @Test
  void goesOnLooking_whenTheServerHasNoVersion() {
    refuseAllBut("none");
    try (var devices = watch()) {
      await().until(() -> brokenBy(devices).isEmpty() && callsOf("v1") > 1);

      server.relent("GET", "/apis/resource.k8s.io/v1" + SLICES);
      create("v1", slice("a", "node-a", "gpu.nvidia.com", "p", 1, gpu("gpu-0", "GPU-a")));
      awaitKnown(devices, Map.of(device("p", "gpu-0"), gpu("GPU-a")));
    }
  }

  @Test
  void staysWithTheVersion_whenTheServerRefuses() {
    server.force("GET", "/apis/resource.k8s.io/v1" + SLICES, 403, "resourceslices is forbidden");
    try (var devices = watch()) {
      await().untilAsserted(() -> assertThat(brokenBy(devices)).contains("is forbidden"));
      assertThat(devices.now().devices()).isEmpty();
      assertThat(callsOf("v1beta1")).isZero();
    }
  }

  private WatchedSlices watch() {
    return WatchedSlices.start(client, "node-a", Duration.ofMinutes(2), nanos::get);
  }

  private void refuseAllBut(String version) {
    for (String other : new String[] {"v1", "v1beta2", "v1beta1"}) {
      if (!other.equals(version)) {
        server.force("GET", "/apis/resource.k8s.io/" + other + SLICES, 404, "page not found");
      }
    }
  }

  private long callsOf(String version) {
    return server.calls().stream()
        .filter(call -> call.startsWith("GET /apis/resource.k8s.io/" + version + "/"))
        .count();
  }

  /** Empty while it is whole, or on its way. */
  private static String brokenBy(WatchedSlices devices) {
    return devices.now().watch() instanceof WatchState.NotSynced(var reason)
            && !reason.equals("its list, or the watch after it, is not complete yet")
        ? reason
        : "";
  }

  private static void awaitKnown(
      WatchedSlices devices, Map<PublishedDevice, DeviceDescription> known) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(devices.now())
                    .isEqualTo(new KnownDevices(new WatchState.Synced(), known)));
  }

  private static PublishedDevice device(String pool, String name) {
    return new PublishedDevice(pool, name);
  }

  private static DeviceDescription gpu(String uuid) {
    @Nullable String noProfile = null;
    return new DeviceDescription(uuid, noProfile);
  }

  private static String gpu(String name, String uuid) {
    return "{name: " + name + ", attributes: {type: {string: gpu}, uuid: {string: " + uuid + "}}}";
  }

  private static String mig(String name, String uuid) {
    return "{name: "
        + name
        + ", attributes: {gpu.nvidia.com/uuid: {string: "
        + uuid
        + "}, profile: {string: 1g.10gb}, index: {int: 1}}}";
  }

  private static String slice(
      String name, String node, String driver, String pool, int generation, String device) {
    return "kind: ResourceSlice\n"
        + ("metadata: {name: " + name + ", labels: {" + FakeApiServer.NODE_LABEL + ": " + node)
        + "}}\n"
        + ("spec: {driver: " + driver + ", nodeName: " + node + ", pool: {name: " + pool)
        + (", generation: " + generation + ", resourceSliceCount: 1}, devices: [" + device + "]}");
  }

  private void create(String version, String text) {
    var object =
        Serialization.unmarshal(
            "apiVersion: resource.k8s.io/" + version + "\n" + text,
            GenericKubernetesResource.class);
    server.admin().resource(object).create();
  }
}
