package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfNamespace;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.OfQueue;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Use;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownShareTest {

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
        .contains(new OfNamespace("ml", new GpuShare("ResourceQuota gpus", 9, 8)));
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
                    - coveredResources: [cpu, nvidia.com/gpu]
                      flavors:
                        - name: h100
                          resources: [{name: cpu, nominalQuota: 100}, {name: nvidia.com/gpu, nominalQuota: 8}]
                        - name: a100
                          resources: [{name: cpu, nominalQuota: 100}, {name: nvidia.com/gpu, nominalQuota: "4"}]
                status:
                  flavorsUsage:
                    - {name: h100, resources: [{name: nvidia.com/gpu, total: "12", borrowed: "4"}]}
                    - {name: a100, resources: [{name: nvidia.com/gpu, total: "3"}, {name: cpu, total: "40"}]}
                """))
        .contains(new OfQueue("research", new GpuShare("ClusterQueue research", 15, 12)));
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
                  FIELD: [{name: h100, resources: [{name: nvidia.com/gpu, total: "4"}]}]
                  flavorsReservation: [{name: h100, resources: [{name: nvidia.com/gpu, total: "7"}]}]
                """
                    .replace("FIELD", field)))
        .contains(new Use("ml", "research", 4));
  }

  private static Optional<KnownShare> read(String yaml) {
    return KnownShare.of(
        new KubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class));
  }
}
