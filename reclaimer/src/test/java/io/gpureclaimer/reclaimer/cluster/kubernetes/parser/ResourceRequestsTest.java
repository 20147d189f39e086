package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
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
          nothing          | {containers: [{}]} | {}
          thousandths      | {containers: [{resources: {requests: {cpu: 1500m, memory: 1Ki}}}]} | {cpu=1500, memory=1024000}
          no accelerator   | {containers: [{resources: {requests: {nvidia.com/gpu: 1, rdma/hca: 1}}}]} | {rdma/hca=1000}
          other of NVIDIA  | {containers: [{resources: {requests: {nvidia.com/mig-1g.10gb: 1, nvidia.com/gpu.shared: 1, nvidia.com/gpumem: 1, nvidia.com/hostdev: 2, nvidia.com/a100: 1}}}]} | {nvidia.com/a100=1000, nvidia.com/hostdev=2000}
          no limit         | {containers: [{resources: {limits: {cpu: 4}}}]} | {}
          containers       | {containers: [{resources: {requests: {cpu: 1}}}, {resources: {requests: {cpu: 2}}}]} | {cpu=3000}
          init containers  | {containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{resources: {requests: {cpu: 3}}}]} | {cpu=3000}
          sidecars         | {containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 3}}}]} | {cpu=4000}
          overhead         | {overhead: {cpu: 250m}, containers: [{resources: {requests: {cpu: 1}}}]} | {cpu=1250}
          of the whole pod | {resources: {requests: {cpu: 8}}, containers: [{resources: {requests: {cpu: 1, memory: 1}}}]} | {cpu=8000, memory=1000}
          """)
  void countsAsTheSchedulerDoes(String name, String spec, String expected) {
    assertThat(requests("{spec: " + spec + "}")).as(name).isEqualTo(expected);
  }

  /** What a pod has and was promised counts until the kubelet has resized it. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          not started    | {spec: {containers: [{name: a, resources: {requests: {cpu: 2}}}]}, status: {containerStatuses: [{name: a}]}} | {cpu=2000}
          larger         | {spec: {containers: [{name: a, resources: {requests: {cpu: 3}}}]}, status: {containerStatuses: [{name: a, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}}]}} | {cpu=3000}
          smaller        | {spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}, status: {containerStatuses: [{name: a, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 4}}}]}} | {cpu=4000}
          promised       | {spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}, status: {containerStatuses: [{name: a, allocatedResources: {cpu: 5}, resources: {requests: {cpu: 4}}}]}} | {cpu=5000}
          deferred       | {spec: {containers: [{name: a, resources: {requests: {cpu: 9}}}]}, status: {conditions: [{type: PodResizePending, reason: Deferred}], containerStatuses: [{name: a, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}}]}} | {cpu=9000}
          infeasible     | {spec: {containers: [{name: a, resources: {requests: {cpu: 9}}}]}, status: {conditions: [{type: PodResizePending, reason: Infeasible}], containerStatuses: [{name: a, allocatedResources: {cpu: 2}, resources: {requests: {cpu: 3}}}]}} | {cpu=3000}
          not reported   | {spec: {containers: [{name: a, resources: {requests: {cpu: 9}}}]}, status: {conditions: [{type: PodResizePending, reason: Infeasible}], containerStatuses: [{name: a, resources: {limits: {memory: 1}}}]}} | {cpu=9000}
          sidecar        | {spec: {containers: [{name: a}], initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}]}, status: {initContainerStatuses: [{name: s, resources: {requests: {cpu: 2}}}]}} | {cpu=2000}
          init container | {spec: {containers: [{name: a}], initContainers: [{name: i, resources: {requests: {cpu: 1}}}]}, status: {initContainerStatuses: [{name: i, resources: {requests: {cpu: 2}}}]}} | {cpu=1000}
          pod, larger    | {spec: {resources: {requests: {cpu: 6}}, containers: [{name: a}]}, status: {allocatedResources: {cpu: 4}, resources: {requests: {cpu: 4}}}} | {cpu=6000}
          pod, smaller   | {spec: {resources: {requests: {cpu: 2}}, containers: [{name: a, resources: {requests: {cpu: 1}}}]}, status: {allocatedResources: {cpu: 2}, resources: {requests: {cpu: 4}}}} | {cpu=4000}
          pod, promised  | {spec: {resources: {requests: {cpu: 2}}, containers: [{name: a}]}, status: {allocatedResources: {cpu: 5}, resources: {requests: {cpu: 4}}}} | {cpu=5000}
          pod, infeasible| {spec: {resources: {requests: {cpu: 9}}, containers: [{name: a}]}, status: {conditions: [{type: PodResizePending, reason: Infeasible}], allocatedResources: {cpu: 2}, resources: {requests: {cpu: 3}}}} | {cpu=3000}
          pod, unread    | {spec: {resources: {requests: {cpu: 2}}, containers: [{name: a}]}, status: {allocatedResources: {cpu: 5}}} | {cpu=2000}
          pod, overhead  | {spec: {overhead: {cpu: 1}, resources: {requests: {cpu: 2}}, containers: [{name: a}]}, status: {resources: {requests: {cpu: 4}}}} | {cpu=5000}
          pod, container | {spec: {resources: {requests: {cpu: 2}}, containers: [{name: a, resources: {requests: {memory: 1}}}]}, status: {resources: {requests: {cpu: 4, memory: 9}}, containerStatuses: [{name: a, resources: {requests: {memory: 3}}}]}} | {cpu=4000, memory=3000}
          huge pages     | {spec: {resources: {requests: {hugepages-2Mi: 4}}, containers: [{name: a, resources: {requests: {hugepages-2Mi: 2}}}]}, status: {resources: {requests: {hugepages-2Mi: 4}}}} | {hugepages-2Mi=4000}
          """)
  void countsPodsThatAreResized(String name, String pod, String expected) {
    assertThat(requests(pod)).as(name).isEqualTo(expected);
  }

  private static String requests(String pod) {
    Map<String, Long> requests = new TreeMap<>(ResourceRequests.of(Yaml.read(pod, Pod.class)));
    assertThat(requests.remove("pods")).isEqualTo(1_000);
    return requests.toString();
  }
}
