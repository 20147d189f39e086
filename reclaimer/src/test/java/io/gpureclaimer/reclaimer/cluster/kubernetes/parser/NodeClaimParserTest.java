package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.NodeClaim;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.NodeView.Taint;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeClaimParser.NodeClaimState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeClaimParserTest {

  /** As Karpenter 1.x for AWS writes it, right after its creation. */
  private static final String CREATED =
      """
      apiVersion: karpenter.sh/v1
      kind: NodeClaim
      metadata:
        annotations:
          karpenter.k8s.aws/ec2nodeclass-hash: "17027975244315209952"
          karpenter.k8s.aws/ec2nodeclass-hash-version: v4
          karpenter.sh/nodepool-hash: "7192598826009892108"
          karpenter.sh/nodepool-hash-version: v3
        creationTimestamp: "2026-03-02T12:00:00Z"
        finalizers: [karpenter.sh/termination]
        generateName: gpu-
        generation: 1
        labels:
          karpenter.k8s.aws/ec2nodeclass: gpu
          karpenter.sh/nodepool: gpu
        name: gpu-qmhg4
        ownerReferences:
          - apiVersion: karpenter.sh/v1
            blockOwnerDeletion: true
            kind: NodePool
            name: gpu
            uid: 1e1334cf-9696-406a-9a7f-e92780d6042b
        resourceVersion: "688079106"
        uid: e0d67077-3c60-4e1b-8c03-fe2a294485b5
      spec:
        expireAfter: 720h
        nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: gpu}
        requirements:
          - key: karpenter.sh/capacity-type
            operator: In
            values: [on-demand, spot]
          - key: node.kubernetes.io/instance-type
            operator: In
            values: [p5.48xlarge, p5e.48xlarge]
            minValues: 2
          - key: karpenter.k8s.aws/instance-generation
            operator: Gt
            values: ["4"]
          - key: team
            operator: Exists
        resources:
          requests:
            cpu: 16210m
            memory: 131320Mi
            nvidia.com/gpu: "8"
            pods: "9"
        startupTaints:
          - {effect: NoExecute, key: node.cilium.io/agent-not-ready, value: "true"}
        taints:
          - {effect: NoSchedule, key: nvidia.com/gpu, value: "true"}
          - {effect: NoSchedule, key: reserved}
      """;

  private static final String NOT_TRIED =
      """
      status:
        conditions:
          - lastTransitionTime: "2026-03-02T12:00:00Z"
            message: object is awaiting reconciliation
            observedGeneration: 1
            reason: AwaitingReconciliation
            status: Unknown
            type: Initialized
          - lastTransitionTime: "2026-03-02T12:00:00Z"
            message: object is awaiting reconciliation
            observedGeneration: 1
            reason: AwaitingReconciliation
            status: Unknown
            type: Launched
          - lastTransitionTime: "2026-03-02T12:00:00Z"
            message: Initialized=Unknown, Launched=Unknown, Registered=Unknown
            observedGeneration: 1
            reason: ReconcilingDependents
            status: Unknown
            type: Ready
      """;

  @Test
  void readsWhatIsKnownOfTheNode() {
    assertThat(read(CREATED + NOT_TRIED))
        .contains(
            new NodeClaim(
                Instant.parse("2026-03-02T12:00:00Z"),
                new NodeView(
                    "gpu-qmhg4",
                    8,
                    Map.of("karpenter.k8s.aws/ec2nodeclass", "gpu", "karpenter.sh/nodepool", "gpu"),
                    List.of(
                        new Taint("nvidia.com/gpu", "true", "NoSchedule"),
                        new Taint("reserved", "", "NoSchedule")),
                    false),
                List.of(
                    new LabelRequirement(
                        "karpenter.sh/capacity-type", "In", Set.of("on-demand", "spot")),
                    new LabelRequirement(
                        "node.kubernetes.io/instance-type",
                        "In",
                        Set.of("p5.48xlarge", "p5e.48xlarge")),
                    new LabelRequirement(
                        "karpenter.k8s.aws/instance-generation", "Gt", Set.of("4")),
                    new LabelRequirement("team", "Exists", Set.of()))));
  }

  @Test
  void readsTheNameOfANodeThatHasRegistered() {
    assertThat(
            read(
                CREATED
                    + """
                    status:
                      nodeName: ip-10-0-1-123.ec2.internal
                      providerID: aws:///us-west-2b/i-01234567adb205c7e
                      conditions:
                        - {type: Launched, status: "True", reason: Launched}
                        - {type: Registered, status: "True", reason: Registered}
                        - {type: Initialized, status: Unknown, reason: NodeNotReady}
                        - {type: Ready, status: Unknown, reason: UnhealthyDependents}
                    """))
        .map(claim -> claim.node().name())
        .contains("ip-10-0-1-123.ec2.internal");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{type: Launched, status: Unknown}",
        "{type: Launched, status: Unknown, reason: AwaitingReconciliation}",
        "{type: Launched, status: 'True', reason: Launched}",
        "{type: Registered, status: Unknown, reason: NodeNotFound}",
        "{type: Registered, status: 'False', reason: NodeNotFound}",
        "{type: Initialized, status: 'False', reason: NotLaunched}",
        "{type: Ready, status: 'False', reason: NodeNotReady}"
      })
  void announcesANode_whileItIsNotReady(String condition) {
    assertThat(read(CREATED + "status: {conditions: [" + condition + "]}")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{type: Launched, status: Unknown, reason: LaunchFailed}",
        "{type: Launched, status: Unknown, reason: InsufficientCapacityError}",
        "{type: Ready, status: 'True', reason: Ready}",
        "{type: Initialized, status: 'True', reason: Initialized}"
      })
  void announcesNothing_onceItsNodeIsReady(String condition) {
    assertThat(state(CREATED + "status: {conditions: [" + condition + "]}"))
        .isEqualTo(new NodeClaimState.NotExpected());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{type: Launched, status: 'False', reason: LaunchFailed}",
        "{type: Launched, status: 'False', reason: InsufficientCapacityError}"
      })
  void isLost_onceItsNodeCouldNotBeLaunched(String condition) {
    assertThat(state(CREATED + "status: {conditions: [" + condition + "]}"))
        .isEqualTo(new NodeClaimState.Lost());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "status: {conditions: [{type: Initialized, status: 'True'}]}"})
  void isLost_onceItIsDeleted(String status) {
    assertThat(
            state(
                CREATED.replace(
                        "  finalizers:",
                        "  deletionTimestamp: \"2026-03-02T12:01:00Z\"\n  finalizers:")
                    + status))
        .isEqualTo(new NodeClaimState.Lost());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ephemeral-storage: 20Gi", "nvidia.com/gpu: '0'", "aws.amazon.com/neuron: '1'"})
  void announcesNothing_whenItRequestsNoDevices(String request) {
    assertThat(read(CREATED.replace("nvidia.com/gpu: \"8\"", request))).isEmpty();
  }

  @Test
  void countsDevicesByTheNamesThatPodsHaveForThem() {
    GenericKubernetesResource claim =
        Yaml.read(
            CREATED.replace(
                "nvidia.com/gpu: \"8\"",
                """
                nvidia.com/h100: "4"
                      nvidia.com/mig-1g.10gb: "2"
                      nvidia.com/gpu.shared: "3"\
                """),
            GenericKubernetesResource.class);

    assertThat(
            new NodeClaimParser(new AcceleratorNames(Set.of("nvidia.com/h100")))
                .of(claim)
                .expected()
                .map(each -> each.node().devices()))
        .contains(
            Map.of("nvidia.com/gpu", 4, "nvidia.com/mig-1g.10gb", 2, "nvidia.com/gpu.shared", 3));
  }

  private static Optional<NodeClaim> read(String yaml) {
    return state(yaml).expected();
  }

  private static NodeClaimState state(String yaml) {
    return new NodeClaimParser(AcceleratorNames.USUAL)
        .of(Yaml.read(yaml, GenericKubernetesResource.class));
  }
}
