package io.gpureclaimer.reclaimer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.plan.Demand.SchedulerMessage;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerMessageTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
        "0/3 nodes are available: 3 Insufficient nvidia.com/gpu",
        "0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are"
            + " available: 3 No preemption victims found for incoming pod.",
        // As Kubernetes 1.36 says it.
        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. no new claims to deallocate,"
            + " preemption: 0/1 nodes are available: 1 No preemption victims found for incoming"
            + " pod.",
        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. no new claims to deallocate",
        "0/4 nodes are available: 1 node(s) had untolerated taint"
            + " {node-role.kubernetes.io/control-plane: }, 3 Insufficient nvidia.com/gpu.",
        "0/4 nodes are available: 1 node(s) had taint {a: b}, that the pod didn't tolerate, 3"
            + " Insufficient nvidia.com/gpu.",
        "0/4 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s)"
            + " were unschedulable, 2 Insufficient nvidia.com/gpu. preemption: not eligible",
      })
  void onlyGpusAreMissing(String message) {
    assertThat(SchedulerMessage.scarceResources(message)).contains(Set.of("nvidia.com/gpu"));
  }

  /** Which nodes lack them is not said. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0/3 nodes are available: 1 Insufficient cpu, 3 Insufficient nvidia.com/gpu. | cpu
          0/3 nodes are available: 3 Insufficient nvidia.com/gpu, 3 Insufficient memory. | memory
          0/3 nodes are available: 1 Too many pods, 2 Insufficient nvidia.com/gpu. | pods
          0/3 nodes are available: 3 Insufficient nvidia.com/gpu, 1 Insufficient rdma/hca. | rdma/hca
          0/3 nodes are available: 1 Insufficient nvidia.com/mig-1g.10gb, 2 Insufficient nvidia.com/gpu. | nvidia.com/mig-1g.10gb
          0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 Insufficient nvidia.com/gpu.shared. | nvidia.com/gpu.shared
          """)
  void furtherResourcesAreScarce(String message, String name) {
    assertThat(SchedulerMessage.scarceResources(message)).contains(Set.of("nvidia.com/gpu", name));
  }

  /** As Kubernetes 1.36 says it. */
  @Test
  void devicesForClaimsAreMissing() {
    assertThat(
            SchedulerMessage.scarceResources(
                "0/2 nodes are available: 1 Insufficient cpu, 1 cannot allocate all claims. still not"
                    + " schedulable, preemption: 0/2 nodes are available: 1 No preemption victims"
                    + " found for incoming pod, 1 Preemption is not helpful for scheduling."))
        .contains(Set.of("claims", "cpu"));
    assertThat(
            SchedulerMessage.scarceResources(
                "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 3 cannot allocate all"
                    + " claims. still not schedulable, preemption: 0/4 nodes are available: 1 No"
                    + " preemption victims found for incoming pod, 3 Preemption is not helpful for"
                    + " scheduling."))
        .contains(Set.of("claims", "nvidia.com/gpu"));
    assertThat(
            SchedulerMessage.scarceResources(
                "0/1 nodes are available: 1 resourceclaim not available on the node."))
        .isEmpty();
  }

  @Test
  void nothingIsScarce_whereNoNodeMayBeUsed() {
    assertThat(
            SchedulerMessage.scarceResources(
                "0/3 nodes are available: 3 node(s) were unschedulable."))
        .contains(Set.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Insufficient nvidia.com/gpu",
        "0/3 nodes are available: 1 node(s) had volume node affinity conflict, 2 Insufficient"
            + " nvidia.com/gpu.",
        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. no idea, preemption: not eligible",
        "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
        "Scheduling is gated"
      })
  void somethingElseIsOrMayBeMissing(String message) {
    assertThat(SchedulerMessage.scarceResources(message)).isEmpty();
  }
}
