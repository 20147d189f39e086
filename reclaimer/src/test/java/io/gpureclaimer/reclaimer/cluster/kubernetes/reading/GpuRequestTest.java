package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
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
    assertThat(request(spec)).as(name).isEqualTo(new GpuRequest(expected, false));
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/mig-1g.10gb",
    "nvidia.com/gpu.shared",
    "nvidia.com/mig-1g.5gb.shared",
    "nvidia.com/gpumem",
    "amd.com/gpu",
    "gpu.intel.com/i915",
    "habana.ai/gaudi",
    "aws.amazon.com/neuroncore",
    "google.com/tpu"
  })
  void seesOtherAccelerators(String resource) {
    assertThat(request("containers: [{resources: {limits: {" + resource + ": 1}}}]"))
        .isEqualTo(new GpuRequest(0, true));
  }

  @ParameterizedTest
  @CsvSource({"rdma/hca_shared_devices_a", "nvidia.com/hostdev", "cpu", "ephemeral-storage"})
  void takesOtherResourcesForWhatTheyAre(String resource) {
    assertThat(request("containers: [{resources: {limits: {" + resource + ": 1}}}]"))
        .isEqualTo(new GpuRequest(0, false));
  }

  @Test
  void seesSlicesOfInitContainers() {
    assertThat(
            request(
                """
                containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]
                initContainers: [{resources: {limits: {nvidia.com/mig-1g.10gb: 1}}}]
                """))
        .isEqualTo(new GpuRequest(1, true));
  }

  @Test
  void seesClaims() {
    assertThat(request("{containers: [{}], resourceClaims: [{name: gpu}]}"))
        .isEqualTo(new GpuRequest(0, true));
  }

  private static GpuRequest request(String yaml) {
    return GpuRequest.of(Yaml.read(yaml, PodSpec.class));
  }
}
