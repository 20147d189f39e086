package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownSlice.SliceDevice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownSliceTest {
  private static final String GPU = "nvidia.com/gpu";

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"v1", "v1beta2", "v1beta1"})
  void readsDevicesOfANode(String version) {
    String fields =
        "attributes: {type: {string: gpu}, productName: {string: NVIDIA H100 80GB HBM3}}, taints:"
            + " [{key: unhealthy, effect: NoSchedule}], consumesCounters: [{counterSet: c}]";
    String device =
        version.equals("v1beta1")
            ? "{name: gpu-0, basic: {" + fields + "}}"
            : "{name: gpu-0, " + fields + "}";

    assertThat(slice("apiVersion: resource.k8s.io/" + version, device))
        .contains(
            new KnownSlice(
                "node-a",
                "pool-a",
                3,
                2,
                List.of(
                    new SliceDevice(
                        "gpu-0",
                        Optional.of(GPU),
                        Optional.of("NVIDIA H100 80GB HBM3"),
                        true,
                        Set.of("c")))));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          attributes: {type: {string: gpu}}                                                     | nvidia.com/gpu
          attributes: {gpu.nvidia.com/type: {string: gpu}}                                      | nvidia.com/gpu
          attributes: {type: {string: mig}, profile: {string: 1g.10gb}}                         | nvidia.com/mig-1g.10gb
          attributes: {type: {string: mig}, gpu.nvidia.com/profile: {string: 1g.10gb+me}}       | nvidia.com/mig-1g.10gb.me
          attributes: {type: {string: mig}}                                                     |
          attributes: {type: {string: vfio}}                                                    |
          attributes: {other.example.com/type: {string: gpu}}                                   |
          attributes: {type: {int: 1}}                                                          |
          attributes: {}                                                                        |
          capacity: {}                                                                          |
          'attributes: {type: {string: gpu}}, allowMultipleAllocations: false'                  | nvidia.com/gpu
          'attributes: {type: {string: gpu}}, allowMultipleAllocations: true'                   |
          'attributes: {type: {string: gpu}}, consumesCounters: [{counterSet: c}]'              | nvidia.com/gpu
          'attributes: {type: {string: mig}, profile: {string: 1g}}, consumesCounters: [{counterSet: c}]' |
          """)
  void countsADeviceAsTheResourceThatADevicePluginWouldNameIt(String fields, String resource) {
    assertThat(only("{name: d, " + fields + "}").resource())
        .isEqualTo(Optional.ofNullable(resource));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"NoSchedule, true", "NoExecute, true", "None, false"})
  void readsWhetherATaintForbidsTheAllocation(String effect, boolean expected) {
    assertThat(only("{name: d, taints: [{key: k, effect: " + effect + "}]}").tainted())
        .isEqualTo(expected);
  }

  @Test
  void hasNoProduct_whereTheDeviceHasNone() {
    assertThat(only("{name: d, attributes: {type: {string: gpu}}}").product()).isEmpty();
  }

  /** It belongs to its pool all the same. */
  @Test
  void keepsASliceOfCountersAlone() {
    assertThat(
            read(
                "spec: {driver: gpu.nvidia.com, nodeName: n, pool: {name: p, generation: 1,"
                    + " resourceSliceCount: 2}, sharedCounters: [{name: c}]}"))
        .contains(new KnownSlice("n", "p", 1, 2, List.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kind: ResourceSlice",
        "spec: {driver: dra.example.com, nodeName: n, pool: {name: p, generation: 1,"
            + " resourceSliceCount: 1}}",
        "spec: {driver: compute-domain.nvidia.com, nodeName: n, pool: {name: p, generation: 1,"
            + " resourceSliceCount: 1}}",
        "spec: {driver: gpu.nvidia.com, allNodes: true, pool: {name: p, generation: 1,"
            + " resourceSliceCount: 1}}",
        "spec: {driver: gpu.nvidia.com, nodeName: n, pool: {name: p}}"
      })
  void leavesOutSlicesOfOtherDrivers_andThoseThatAreNotOfOneNode(String yaml) {
    assertThat(read(yaml)).isEmpty();
  }

  private static SliceDevice only(String device) {
    return slice("apiVersion: resource.k8s.io/v1", device).orElseThrow().devices().getFirst();
  }

  private static Optional<KnownSlice> slice(String version, String device) {
    return read(
        version
            + """

            kind: ResourceSlice
            metadata: {name: slice-a}
            spec:
              driver: gpu.nvidia.com
              nodeName: node-a
              pool: {name: pool-a, generation: 3, resourceSliceCount: 2}
              devices: [DEVICE]
            """
                .replace("DEVICE", device));
  }

  private static Optional<KnownSlice> read(String yaml) {
    return KnownSlice.of(Yaml.read(yaml, GenericKubernetesResource.class));
  }
}
