package io.gpureclaimer.verification.scenario.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.verification.scenario.harness.AuditLog;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A cluster without a single annotation. */
@OnCluster
class ReportE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));

  @Test
  void writesNothingButItsLease(TestCluster cluster, Replicas replicas) {
    AuditLog audit = OwnCluster.orSkip().auditLog();
    cluster.gpus(1);
    TestNamespace tenant = TestNamespace.with(cluster, "silent", Map.of());
    Pod idle = tenant.start("idle");
    StubPrometheus prometheus = replicas.prometheus();
    prometheus.showsIdle(idle);

    Replica replica = replicas.start("reclaimer", prometheus, PACE);
    replica.awaitLine("silent", "is reported: idle for");
    await("it leads, and some cycles pass")
        .atMost(Duration.ofSeconds(20))
        .until(() -> audit.of(replica).stream().filter(AuditLog.AuditEntry::isWrite).count() > 3);

    assertThat(
            audit.of(replica).stream().map(AuditLog.AuditEntry::deed).collect(Collectors.toSet()))
        .contains("list pods", "watch pods", "list namespaces", "list nodes")
        .contains("create leases", "update leases")
        .isSubsetOf(
            "list pods",
            "watch pods",
            "list namespaces",
            "watch namespaces",
            "list nodes",
            "watch nodes",
            "get leases",
            "create leases",
            "update leases",
            "get /apis/gpu-reclaimer.io/v1alpha1",
            "get /apis/keda.sh/v1alpha1",
            "list reclamations",
            "watch reclamations",
            "list poddisruptionbudgets",
            "watch poddisruptionbudgets",
            "list horizontalpodautoscalers",
            "watch horizontalpodautoscalers");
    assertThat(tenant.now("idle")).contains(idle);
  }
}
