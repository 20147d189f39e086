package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.MetadataParser.KnownNamespace;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeParser.GpuOffer;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeParser.KnownNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeParserTest {
  private static final NodeParser READING =
      new NodeParser(new AcceleratorNames(Set.of("nvidia.com/gpu", "example.com/h100")));
  private static final String READY = "conditions: [{type: Ready, status: 'True'}]";

  @Test
  void readsAGpuNode() {
    assertThat(
            read(
                """
                metadata: {name: node-a, labels: {gpu: h100}}
                spec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}
                status:
                  allocatable: {nvidia.com/gpu: 8, cpu: 128, pods: 110, example.com/nic: 2, memory: 0}
                  conditions: [{type: DiskPressure, status: 'False'}, {type: Ready, status: 'True'}]
                """))
        .isEqualTo(
            new KnownNode(
                Optional.empty(),
                GpuOffer.DEVICES,
                Optional.empty(),
                true,
                new NodeView(
                    "node-a",
                    Map.of("nvidia.com/gpu", 8),
                    Map.of("cpu", 128_000L, "pods", 110_000L, "example.com/nic", 2_000L),
                    Map.of("gpu", "h100"),
                    List.of(new Taint("nvidia.com/gpu", "", "NoSchedule")),
                    true,
                    false)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {conditions: [{type: Ready, status: 'True'}]}
          {allocatable: {cpu: 4}}
          {allocatable: {nvidia.com/gpu: 0}}
          {allocatable: {nvidia.com/mig-1g.10gb: 0}}
          {allocatable: {example.com/h100: 8}}
          {allocatable: {nvidia.com/gpu: 4, example.com/h100: 4}}
          """)
  void hasNothingToPlanWith_withoutGpusOfTheUsualNameOrMigInstances(String status) {
    assertThat(read("{metadata: {name: n}, status: " + status + "}").view().devices()).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {cpu: 4, nvidia.com/gpu: 0, nvidia.com/hostdev: 1}        | false
          {nvidia.com/gpu: 8}                                       | true
          {example.com/h100: 8}                                     | true
          {nvidia.com/gpu.shared: 4}                                | true
          {nvidia.com/mig-1g.10gb: 7}                               | true
          {nvidia.com/mig-1g.10gb.shared: 7}                        | true
          {amd.com/gpu: 8}                                          | true
          """)
  void knowsWhetherADevicePluginOffersAccelerators(String allocatable, boolean expected) {
    KnownNode node =
        read("{metadata: {name: n}, status: {allocatable: " + allocatable + ", " + READY + "}}");

    assertThat(node.hasDevicePlugin()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                              | {nvidia.com/gpu=4, nvidia.com/mig-1g.10gb=7, nvidia.com/mig-2g.20gb=3}
          {nvidia.com/mig-1g.10gb.replicas: '1'}                          | {nvidia.com/gpu=4, nvidia.com/mig-1g.10gb=7, nvidia.com/mig-2g.20gb=3}
          {nvidia.com/mig-1g.10gb.replicas: '2'}                          | {nvidia.com/gpu=4, nvidia.com/mig-2g.20gb=3}
          {nvidia.com/mig-2g.20gb.sharing-strategy: time-slicing}         | {nvidia.com/gpu=4, nvidia.com/mig-1g.10gb=7}
          """)
  void plansWithGpusAndMigInstances_unlessTheseAreReplicated(String labels, String devices) {
    KnownNode node =
        read(
            "{metadata: {name: n, labels: "
                + labels
                + "}, status: {allocatable: {nvidia.com/gpu: 4, nvidia.com/mig-1g.10gb: 7,"
                + " nvidia.com/mig-2g.20gb: 3, cpu: 64}}}");
    assertThat(new TreeMap<>(node.view().devices())).hasToString(devices);
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                    | conditions: [{type: Ready, status: 'True'}]    |
          {}                    | conditions: [{type: Ready, status: 'False'}]   | not ready
          {}                    | conditions: [{type: Ready, status: 'Unknown'}] | not ready
          {}                    | conditions: []                                 | not ready
          {unschedulable: true} | conditions: [{type: Ready, status: 'True'}]    | cordoned
          """)
  void acceptsPods_whenReadyAndNotCordoned(String spec, String conditions, String standing) {
    KnownNode node =
        read(
            "{metadata: {name: n}, spec: "
                + spec
                + ", status: {allocatable: {nvidia.com/gpu: 1}, "
                + conditions
                + "}}");
    assertThat(node.standing()).isEqualTo(Optional.ofNullable(standing));
    assertThat(node.view().accepting()).isEqualTo(standing == null);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                  | DEVICES
          {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}     | DEVICES
          {nvidia.com/gpu.product: Tesla-T4-SHARED}           | REPLICAS
          {nvidia.com/gpu.product: A100-SXM4-40GB-MIG-1g.5gb} | DEVICES
          {nvidia.com/gpu.product: A100-MIG-1g.5gb-SHARED}    | REPLICAS
          {nvidia.com/gpu.product: A100-SXM4-40GB-MIG-INVALID} | UNCLEAR
          {nvidia.com/gpu.replicas: '1'}                      | DEVICES
          {nvidia.com/gpu.replicas: '4'}                      | REPLICAS
          {nvidia.com/gpu.sharing-strategy: none}             | DEVICES
          {nvidia.com/gpu.sharing-strategy: mps}              | REPLICAS
          {nvidia.com/gpu.sharing-strategy: time-slicing}     | REPLICAS
          """)
  void knowsByLabels_whatANodeOffersAsGpus(String labels, GpuOffer offer) {
    KnownNode node =
        read(
            "{metadata: {name: n, labels: "
                + labels
                + "}, status: {allocatable: {nvidia.com/gpu: 4}, "
                + READY
                + "}}");
    assertThat(node.offer()).isEqualTo(offer);
    assertThat(node.held(Accelerators.whole(1)).shares()).isEqualTo(offer == GpuOffer.REPLICAS);
    assertThat(node.held(Accelerators.whole(1)).others()).isEqualTo(offer == GpuOffer.UNCLEAR);
    assertThat(node.held(Accelerators.whole(2)).others()).isEqualTo(offer == GpuOffer.UNCLEAR);
    assertThat(node.held(Accelerators.whole(2)).isCounted()).isEqualTo(offer == GpuOffer.DEVICES);
  }

  @Test
  void plansWithReplicas_whichAreNoWholeGpus() {
    KnownNode renamed =
        read(
            """
            metadata: {name: n, labels: {nvidia.com/gpu.replicas: '4'}}
            status:
              allocatable: {nvidia.com/gpu.shared: 8, nvidia.com/mig-1g.5gb.shared: 4}
            """);
    KnownNode usual =
        read(
            """
            metadata: {name: n, labels: {nvidia.com/gpu.product: Tesla-T4-SHARED}}
            status: {allocatable: {nvidia.com/gpu: 8}}
            """);

    assertThat(renamed.view().devices())
        .isEqualTo(Map.of("nvidia.com/gpu.shared", 8, "nvidia.com/mig-1g.5gb.shared", 4));
    Accelerators replica = Accelerators.replicaOf("nvidia.com/gpu.shared");
    assertThat(renamed.held(replica)).isEqualTo(replica);
    assertThat(renamed.held(new Accelerators(0, Map.of("1g.5gb", 1), false)).others()).isTrue();
    assertThat(usual.view().devices()).isEqualTo(Map.of("nvidia.com/gpu", 8));
    assertThat(usual.view().gpus()).isZero();
    assertThat(usual.held(Accelerators.whole(1)))
        .isEqualTo(Accelerators.replicaOf("nvidia.com/gpu"));
  }

  @Test
  void takesGpusForSlices_whereAllGpusAreDividedAlike() {
    KnownNode node =
        read(
            """
            metadata: {name: n, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb}}
            status: {allocatable: {nvidia.com/gpu: 14}}
            """);

    assertThat(node.view().devices()).isEqualTo(Map.of("nvidia.com/gpu", 14));
    assertThat(node.view().gpus()).isZero();
    Accelerators held = node.held(Accelerators.whole(2));
    assertThat(held.slices()).isEqualTo(Map.of("1g.5gb", 2));
    assertThat(held.devices()).isEqualTo(2);
    assertThat(held.byResource()).isEqualTo(Map.of("nvidia.com/gpu", 2));
    assertThat(held.count("nvidia.com/gpu")).isEqualTo(2);
    assertThat(held.count("nvidia.com/mig-1g.5gb")).isZero();
    assertThat(held.kinds()).containsExactly("nvidia.com/mig-1g.5gb");
    assertThat(node.held(Accelerators.whole(0).andOthers()))
        .isEqualTo(Accelerators.whole(0).andOthers());
  }

  @Test
  void readsANamespace() {
    Namespace namespace =
        Yaml.read(
            "metadata: {name: ml, labels: {team: vision, tier: a},"
                + " annotations: {gpu-reclaimer.io/mode: report}}",
            Namespace.class);
    assertThat(KnownNamespace.of(namespace, Optional.of("team")))
        .isEqualTo(
            new KnownNamespace(
                new NamespaceView(
                    "ml", Map.of("gpu-reclaimer.io/mode", "report"), Optional.of("vision")),
                Map.of("team", "vision", "tier", "a")));
  }

  private static KnownNode read(String yaml) {
    return READING.of(Yaml.read(yaml, Node.class));
  }
}
