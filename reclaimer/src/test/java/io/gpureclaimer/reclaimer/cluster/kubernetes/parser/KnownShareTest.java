package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission.PodSetUse;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfNamespace;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfQueue;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Use;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownShareTest {
  private static final String WORKLOAD =
      """
      kind: Workload
      apiVersion: kueue.x-k8s.io/v1beta2
      metadata:
        namespace: ml
        name: job-train
        ownerReferences: [{kind: Job, name: train, uid: uid-of-train, apiVersion: batch/v1}]
      spec:
        podSets:
          - name: leader
            count: 1
            template: {spec: {containers: [{resources: {requests: {cpu: 1}}}]}}
          - name: workers
            count: 4
            template:
              spec:
                initContainers: [{resources: {limits: {rdma/hca: 1}}}]
                containers: [{resources: {requests: {cpu: 1, example.com/nic: 1}}}]
      status:
        admission:
          clusterQueue: research
          podSetAssignments:
            - {name: leader, count: 1, resourceUsage: {cpu: '1', pods: '1'}}
            - name: workers
              count: 3
              resourceUsage: {cpu: '3', pods: '3', memory: 3Gi, rdma/hca: '3', example.com/nic: '3', claimed-gpus: '6'}
      """;

  private static final AcceleratorNames NAMES =
      new AcceleratorNames(Set.of(ResourceNames.GPU, "example.com/h100"));

  @Test
  void readsTheQuotaOfANamespace() {
    assertThat(
            read(
                """
                kind: ResourceQuota
                apiVersion: v1
                metadata: {namespace: ml, name: gpus}
                spec: {hard: {requests.nvidia.com/gpu: "8"}}
                status:
                  hard: {requests.nvidia.com/gpu: "8", pods: "50"}
                  used: {requests.nvidia.com/gpu: "9", pods: "3"}
                """))
        .contains(
            new OfNamespace(
                "ml", List.of(new GpuShare("ResourceQuota gpus", ResourceNames.GPU, 9, 8))));
  }

  @ParameterizedTest(name = "{0} is of {1}")
  @CsvSource({
    "requests.nvidia.com/gpu, nvidia.com/gpu",
    "requests.example.com/h100, nvidia.com/gpu",
    "requests.nvidia.com/mig-1g.10gb, nvidia.com/mig-1g.10gb",
    "requests.nvidia.com/gpu.shared, nvidia.com/gpu.shared",
    "requests.example.com/h100.shared, example.com/h100.shared",
    "requests.nvidia.com/mig-1g.10gb.shared, nvidia.com/mig-1g.10gb.shared",
    "gpu.nvidia.com.deviceclass.resource.k8s.io/devices, deviceclass.resource.kubernetes.io/gpu.nvidia.com",
    "requests.cpu,",
    "requests.amd.com/gpu,",
    "limits.nvidia.com/gpu,",
    "count/pods,"
  })
  void readsQuotasOfAllDevicesThatCount(String limited, @Nullable String resource) {
    assertThat(
            read(
                """
                kind: ResourceQuota
                apiVersion: v1
                metadata: {namespace: ml, name: gpus}
                status: {hard: {LIMITED: "2"}, used: {LIMITED: "3"}}
                """
                    .replace("LIMITED", limited)))
        .isEqualTo(
            Optional.ofNullable(resource)
                .map(
                    name ->
                        new OfNamespace(
                            "ml", List.of(new GpuShare("ResourceQuota gpus", name, 3, 2)))));
  }

  @Test
  void readsEachResourceOfAQuota() {
    assertThat(
            read(
                """
                kind: ResourceQuota
                apiVersion: v1
                metadata: {namespace: ml, name: gpus}
                status:
                  hard: {requests.nvidia.com/gpu: "8", requests.nvidia.com/mig-1g.10gb: "2", requests.cpu: 500m}
                  used: {requests.nvidia.com/gpu: "1", requests.nvidia.com/mig-1g.10gb: "3", requests.cpu: "1"}
                """))
        .contains(
            new OfNamespace(
                "ml",
                List.of(
                    new GpuShare("ResourceQuota gpus", ResourceNames.GPU, 1, 8),
                    new GpuShare("ResourceQuota gpus", "nvidia.com/mig-1g.10gb", 3, 2))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec: {hard: {requests.nvidia.com/gpu: '8'}}",
        "status: {hard: {requests.nvidia.com/gpu: '8'}}",
        "status: {hard: {pods: '8'}, used: {pods: '9'}}"
      })
  void quotaWithoutAKnownUse_saysNothing(String fields) {
    assertThat(
            read(
                """
                kind: ResourceQuota
                apiVersion: v1
                metadata: {namespace: ml, name: gpus}
                FIELDS
                """
                    .replace("FIELDS", fields)))
        .isEmpty();
  }

  @Test
  void readsNominalQuotaAndUseOfAClusterQueue_overItsFlavors() {
    assertThat(
            read(
                """
                kind: ClusterQueue
                apiVersion: kueue.x-k8s.io/v1beta2
                metadata: {name: research}
                spec:
                  resourceGroups:
                    - coveredResources: [cpu, nvidia.com/gpu, nvidia.com/mig-1g.10gb, claimed-gpus]
                      flavors:
                        - name: h100
                          resources: [{name: cpu, nominalQuota: 100}, {name: nvidia.com/gpu, nominalQuota: 8}]
                        - name: a100
                          resources: [{name: nvidia.com/mig-1g.10gb, nominalQuota: 7}, {name: nvidia.com/gpu, nominalQuota: "4"}, {name: claimed-gpus, nominalQuota: 2}]
                status:
                  flavorsUsage:
                    - {name: h100, resources: [{name: nvidia.com/gpu, total: "12", borrowed: "4"}]}
                    - {name: a100, resources: [{name: nvidia.com/gpu, total: "3"}, {name: cpu, total: "40"}, {name: nvidia.com/mig-1g.10gb, total: "2"}, {name: claimed-gpus, total: 3}]}
                """))
        .contains(
            new OfQueue(
                "research",
                List.of(
                    new GpuShare("ClusterQueue research", "claimed-gpus", 3, 2),
                    new GpuShare("ClusterQueue research", ResourceNames.GPU, 15, 12),
                    new GpuShare("ClusterQueue research", "nvidia.com/mig-1g.10gb", 2, 7))));
  }

  @Test
  void clusterQueueWithoutAStatus_saysNothing() {
    assertThat(
            read(
                """
                kind: ClusterQueue
                apiVersion: kueue.x-k8s.io/v1beta2
                metadata: {name: research}
                spec:
                  resourceGroups:
                    - flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]
                """))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flavorsUsage", "flavorUsage"})
  void readsTheUseOfALocalQueue_inBothVersions(String field) {
    assertThat(
            read(
                """
                kind: LocalQueue
                apiVersion: kueue.x-k8s.io/v1beta1
                metadata: {namespace: ml, name: jobs}
                spec: {clusterQueue: research}
                status:
                  FIELD: [{name: h100, resources: [{name: nvidia.com/gpu, total: "4"}, {name: nvidia.com/mig-1g.10gb, total: "0"}]}]
                  flavorsReservation: [{name: h100, resources: [{name: nvidia.com/gpu, total: "7"}]}]
                """
                    .replace("FIELD", field)))
        .contains(new Use("ml", "research", Set.of(ResourceNames.GPU)));
  }

  @Test
  void localQueueThatUsesNoDevices_saysNothing() {
    assertThat(
            read(
                """
                kind: LocalQueue
                apiVersion: kueue.x-k8s.io/v1beta1
                metadata: {namespace: ml, name: jobs}
                spec: {clusterQueue: research}
                status: {flavorUsage: [{name: h100, resources: [{name: nvidia.com/gpu, total: "0"}, {name: cpu, total: "4"}]}]}
                """))
        .isEmpty();
  }

  @Test
  void readsWhatAWorkloadWasAdmittedWith_andItsPodsDoNotRequestByName() {
    assertThat(read(WORKLOAD))
        .contains(
            new Admission(
                "ml",
                "job-train",
                Set.of("uid-of-train"),
                List.of(new PodSetUse(3, Map.of("claimed-gpus", 6)))));
  }

  @ParameterizedTest
  @CsvSource({
    "claimed-gpus, ephemeral-storage",
    "count: 3, x: 3",
    "'example.com/nic: 1', 'claimed-gpus: 1, example.com/nic: 1'",
    "podSetAssignments, others",
    "- name: workers, - name: renamed"
  })
  void workloadWithoutSuchResources_saysNothing(String text, String instead) {
    assertThat(read(WORKLOAD.replaceFirst(text, instead))).isEmpty();
  }

  private static Optional<KnownShare> read(String yaml) {
    return KnownShare.of(
        new KubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class), NAMES);
  }
}
