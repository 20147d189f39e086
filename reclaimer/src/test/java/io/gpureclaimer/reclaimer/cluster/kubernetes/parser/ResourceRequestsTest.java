package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceRequestsTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing          | containers: [{}] | {}
          thousandths      | containers: [{resources: {requests: {cpu: 1500m, memory: 1Ki}}}] | {cpu=1500, memory=1024000}
          no accelerator   | containers: [{resources: {requests: {nvidia.com/gpu: 1, rdma/hca: 1}}}] | {rdma/hca=1000}
          no limit         | containers: [{resources: {limits: {cpu: 4}}}] | {}
          containers       | containers: [{resources: {requests: {cpu: 1}}}, {resources: {requests: {cpu: 2}}}] | {cpu=3000}
          init containers  | {containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{resources: {requests: {cpu: 3}}}]} | {cpu=3000}
          sidecars         | {containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 3}}}]} | {cpu=4000}
          overhead         | {overhead: {cpu: 250m}, containers: [{resources: {requests: {cpu: 1}}}]} | {cpu=1250}
          of the whole pod | {resources: {requests: {cpu: 8}}, containers: [{resources: {requests: {cpu: 1, memory: 1}}}]} | {cpu=8000, memory=1000}
          """)
  void countsAsTheSchedulerDoes(String name, String spec, String expected) {
    Map<String, Long> requests = new TreeMap<>(ResourceRequests.of(Yaml.read(spec, PodSpec.class)));

    assertThat(requests.remove("pods")).isEqualTo(1_000);
    assertThat(requests.toString()).as(name).isEqualTo(expected);
  }
}
