package io.gpureclaimer.reclaimer.cluster.kubernetes.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.gpureclaimer.reclaimer.cluster.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.Taint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReadingTest {
  private static final String READY = "conditions: [{type: Ready, status: 'True'}]";

  @Test
  void readsAGpuNode() {
    assertThat(
            read(
                """
                metadata: {name: node-a, labels: {gpu: h100}}
                spec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}
                status:
                  allocatable: {nvidia.com/gpu: 8, cpu: 128}
                  conditions: [{type: DiskPressure, status: 'False'}, {type: Ready, status: 'True'}]
                """))
        .contains(
            new GpuNode(
                new NodeView(
                    "node-a",
                    8,
                    Map.of("gpu", "h100"),
                    List.of(new Taint("nvidia.com/gpu", "", "NoSchedule")),
                    true),
                false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {conditions: [{type: Ready, status: 'True'}]}
          {allocatable: {cpu: 4}}
          {allocatable: {nvidia.com/gpu: 0}}
          {allocatable: {nvidia.com/mig-1g.10gb: 7}}
          """)
  void leavesOutNodesWithoutWholeGpus(String status) {
    assertThat(read("{metadata: {name: n}, status: " + status + "}")).isEmpty();
  }

  @ParameterizedTest(name = "{0}, {1}: accepting {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                    | conditions: [{type: Ready, status: 'True'}]    | true
          {}                    | conditions: [{type: Ready, status: 'False'}]   | false
          {}                    | conditions: [{type: Ready, status: 'Unknown'}] | false
          {}                    | conditions: []                                 | false
          {unschedulable: true} | conditions: [{type: Ready, status: 'True'}]    | false
          """)
  void acceptsPods_whenReadyAndNotCordoned(String spec, String conditions, boolean accepting) {
    Optional<GpuNode> node =
        read(
            "{metadata: {name: n}, spec: "
                + spec
                + ", status: {allocatable: {nvidia.com/gpu: 1}, "
                + conditions
                + "}}");
    assertThat(node.map(n -> n.view().accepting())).contains(accepting);
  }

  @ParameterizedTest(name = "{0}: shared {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                  | false
          {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}     | false
          {nvidia.com/gpu.product: Tesla-T4-SHARED}           | true
          {nvidia.com/gpu.product: A100-SXM4-40GB-MIG-1g.5gb} | true
          {nvidia.com/gpu.replicas: '1'}                      | false
          {nvidia.com/gpu.replicas: '4'}                      | true
          {nvidia.com/gpu.sharing-strategy: none}             | false
          {nvidia.com/gpu.sharing-strategy: mps}              | true
          {nvidia.com/gpu.sharing-strategy: time-slicing}     | true
          """)
  void knowsSharedGpusByTheirLabels(String labels, boolean shared) {
    Optional<GpuNode> node =
        read(
            "{metadata: {name: n, labels: "
                + labels
                + "}, status: {allocatable: {nvidia.com/gpu: 4}, "
                + READY
                + "}}");
    assertThat(node.map(GpuNode::shared)).contains(shared);
  }

  @Test
  void readsANamespace() {
    Namespace namespace =
        Yaml.read(
            "metadata: {name: ml, annotations: {gpu-reclaimer.io/mode: report}}", Namespace.class);
    assertThat(NamespaceReading.of(namespace))
        .isEqualTo(new NamespaceView("ml", Map.of("gpu-reclaimer.io/mode", "report")));
  }

  private static Optional<GpuNode> read(String yaml) {
    return NodeReading.ofGpuNode(Yaml.read(yaml, Node.class));
  }
}
