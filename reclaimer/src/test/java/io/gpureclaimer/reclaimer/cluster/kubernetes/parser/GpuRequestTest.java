package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuRequestTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing                      | containers: [{}]                                                       | 0
          only processor and memory    | containers: [{resources: {limits: {cpu: 4, memory: 8Gi}}}]             | 0
          a limit                      | containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]               | 2
          a request without limit      | containers: [{resources: {requests: {nvidia.com/gpu: 3}}}]             | 3
          limit and request            | containers: [{resources: {limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: 2}}}] | 2
          a limit of zero              | containers: [{resources: {limits: {nvidia.com/gpu: 0}}}]               | 0
          containers add up            | containers: [{resources: {limits: {nvidia.com/gpu: 2}}}, {resources: {limits: {nvidia.com/gpu: 1}}}] | 3
          init containers do not       | {containers: [{}], initContainers: [{resources: {limits: {nvidia.com/gpu: 2}}}, {resources: {limits: {nvidia.com/gpu: 4}}}]} | 4
          the larger of both           | {containers: [{resources: {limits: {nvidia.com/gpu: 2}}}], initContainers: [{resources: {limits: {nvidia.com/gpu: 1}}}]} | 2
          a sidecar adds to containers | {containers: [{resources: {limits: {nvidia.com/gpu: 2}}}], initContainers: [{restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}]} | 3
          a sidecar adds to later inits| {containers: [{}], initContainers: [{restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}, {resources: {limits: {nvidia.com/gpu: 4}}}]} | 5
          but not to earlier ones      | {containers: [{}], initContainers: [{resources: {limits: {nvidia.com/gpu: 4}}}, {restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}]} | 4
          """)
  void countsWholeGpusAsTheSchedulerDoes(String name, String spec, int expected) {
    assertThat(request(spec)).as(name).isEqualTo(Accelerators.whole(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpumem",
    "amd.com/gpu",
    "gpu.intel.com/i915",
    "habana.ai/gaudi",
    "aws.amazon.com/neuroncore",
    "google.com/tpu"
  })
  void seesOtherAccelerators(String resource) {
    assertThat(request("containers: [{resources: {limits: {" + resource + ": 1}}}]"))
        .isEqualTo(Accelerators.whole(0).andOthers());
  }

  @ParameterizedTest
  @CsvSource({"nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb.shared"})
  void countsReplicas_whichAreOfAsManyDevicesAtMost(String resource) {
    String one = "containers: [{resources: {limits: {" + resource + ": 1}}}]";
    String none = "containers: [{resources: {limits: {" + resource + ": 0}}}]";
    String two = "containers: [{resources: {limits: {" + resource + ": 2}}}]";
    String apart = one.replace("}]", "}, {resources: {limits: {" + resource + ": 1}}}]");
    String beside = one.replace(": 1", ": 1, nvidia.com/gpu: 1");

    assertThat(request(one)).isEqualTo(Accelerators.replicaOf(resource));
    assertThat(request(one).isCounted()).isTrue();
    assertThat(request(none)).isEqualTo(Accelerators.whole(0));
    assertThat(List.of(two, apart))
        .allSatisfy(
            several -> {
              assertThat(request(several).hasUncounted()).isFalse();
              assertThat(request(several).shares()).isTrue();
              assertThat(request(several).isCounted()).isFalse();
            });
    assertThat(request(beside).hasUncounted()).isTrue();
    assertThat(request(beside).others()).isFalse();
    assertThat(request(beside).shares()).isFalse();
    assertThat(request(two).count(resource)).isEqualTo(2);
    assertThat(request(apart).count(resource)).isEqualTo(2);
    assertThat(request(beside).byResource()).isEqualTo(Map.of(resource, 1, "nvidia.com/gpu", 1));
    assertThat(request(two).several()).containsExactly(resource);
    assertThat(request(apart).several()).isEmpty();
  }

  /** Device plugins allocate for each container of its own. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one container  | containers: [{resources: {limits: {nvidia.com/gpu: 2}}}] | true
          two containers | containers: [{resources: {limits: {nvidia.com/gpu: 1}}}, {resources: {limits: {nvidia.com/gpu: 1}}}] | false
          init container | {containers: [{}], initContainers: [{resources: {limits: {nvidia.com/gpu: 2}}}]} | true
          """)
  void seesWhetherAContainerRequestsSeveralGpus(String name, String spec, boolean expected) {
    Accelerators requested = request(spec);

    assertThat(requested.gpus()).as(name).isEqualTo(2);
    assertThat(requested.several().contains("nvidia.com/gpu")).as(name).isEqualTo(expected);
    assertThat(requested.onSharedGpus().replicas()).isEqualTo(Map.of("nvidia.com/gpu", 2));
    assertThat(requested.onSharedGpus().several()).isEqualTo(requested.several());
  }

  /** What it holds there is the same, and pending pods are not served with it. */
  @Test
  void holdsReplicas_whereTheNodeSaysSo_evenIfAClaimGaveThem() {
    Accelerators requested = request("containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]");

    assertThat(
            requested.and(Accelerators.Claimed.NOTHING, Map.of("nvidia.com/gpu", 2)).onSharedGpus())
        .isEqualTo(requested.onSharedGpus());
  }

  @Test
  void isOfOneKind_evenIfAClaimGaveIt() {
    Accelerators given =
        Accelerators.whole(2).and(Accelerators.Claimed.NOTHING, Map.of("nvidia.com/gpu", 2));

    assertThat(given.kinds()).containsExactly("nvidia.com/gpu");
    assertThat(given.byResource()).isEqualTo(Map.of("nvidia.com/gpu", 2));
    assertThat(given.onDividedGpus("1g.10gb").kinds()).containsExactly("nvidia.com/mig-1g.10gb");
    assertThat(given.onDividedGpus("1g.10gb").byResource()).isEqualTo(Map.of("nvidia.com/gpu", 2));
    assertThat(given.mayHoldClaims()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"rdma/hca_shared_devices_a", "nvidia.com/hostdev", "cpu", "ephemeral-storage"})
  void takesOtherResourcesForWhatTheyAre(String resource) {
    assertThat(request("containers: [{resources: {limits: {" + resource + ": 1}}}]"))
        .isEqualTo(Accelerators.whole(0));
  }

  @Test
  void countsSlicesByProfile_eachAsTheSchedulerDoes() {
    assertThat(
            request(
                """
                containers:
                - resources: {limits: {nvidia.com/gpu: 1, nvidia.com/mig-3g.40gb: 1}}
                - resources: {limits: {nvidia.com/mig-1g.10gb: 2, nvidia.com/mig-2g.20gb: 0}}
                initContainers:
                - resources: {limits: {nvidia.com/mig-1g.10gb: 3}}
                - resources: {requests: {nvidia.com/mig-1g.10gb.me: 1}}
                """))
        .isEqualTo(new Accelerators(1, Map.of("3g.40gb", 1, "1g.10gb", 3, "1g.10gb.me", 1), false));
  }

  @Test
  void countsGpusUnderAllNamesThatTheClusterGivesThem() {
    var names = new AcceleratorNames(Set.of("nvidia.com/gpu", "example.com/h100", "amd.com/gpu"));
    PodSpec spec =
        Yaml.read(
            """
            containers:
            - resources: {limits: {nvidia.com/gpu: 1, example.com/h100: 2, amd.com/gpu: 4}}
            - resources: {limits: {example.com/a100: 8}}
            """,
            PodSpec.class);

    assertThat(GpuRequest.of(spec, names)).isEqualTo(Accelerators.whole(7));
  }

  @Test
  void seesReplicasOfRenamedGpus() {
    PodSpec spec =
        Yaml.read(
            "containers: [{resources: {limits: {example.com/h100.shared: 1}}}]", PodSpec.class);

    assertThat(GpuRequest.of(spec, new AcceleratorNames(Set.of("example.com/h100"))))
        .isEqualTo(Accelerators.replicaOf("example.com/h100.shared"));
  }

  @ParameterizedTest
  @CsvSource({"gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb", "/gpu"})
  void refusesNamesThatAreNotOfWholeGpus(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AcceleratorNames(Set.of(name)))
        .withMessageEndingWith("was " + name);
  }

  @Test
  void leavesClaimsToThoseWhoCanReadThem() {
    assertThat(request("{containers: [{}], resourceClaims: [{name: gpu}]}"))
        .isEqualTo(Accelerators.whole(0));
  }

  private static Accelerators request(String yaml) {
    return GpuRequest.of(Yaml.read(yaml, PodSpec.class), AcceleratorNames.USUAL);
  }
}
