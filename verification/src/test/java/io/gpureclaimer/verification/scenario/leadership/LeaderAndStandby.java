package io.gpureclaimer.verification.scenario.leadership;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.gpureclaimer.verification.scenario.harness.AuditLog;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Two replicas of which one leads.
 *
 * @param leader the one that leads when this is made
 * @param other the one that waits
 */
record LeaderAndStandby(TestCluster cluster, AuditLog audit, Replica leader, Replica other) {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String RENEWAL = "update leases";

  /** Starts two, and waits until both run and one leads. */
  static LeaderAndStandby start(
      TestCluster cluster,
      AuditLog audit,
      Replicas replicas,
      StubPrometheus prometheus,
      ShortIntervals pace) {
    Replica one = replicas.start("one", prometheus, pace);
    Replica two = replicas.start("two", prometheus, pace);
    one.awaitReady();
    two.awaitReady();
    String holder =
        await("one of them leads")
            .atMost(PATIENCE)
            .until(
                () -> holder(cluster).orElse(""), List.of(identity(one), identity(two))::contains);
    return holder.equals(identity(one))
        ? new LeaderAndStandby(cluster, audit, one, two)
        : new LeaderAndStandby(cluster, audit, two, one);
  }

  /** Waits until the other one leads. */
  void awaitTakeover() {
    await("the other one leads")
        .atMost(PATIENCE)
        .until(() -> holder(cluster).equals(Optional.of(identity(other))));
  }

  /** Waits until the other one has gone through some cycles more. */
  void awaitMoreCycles() {
    long before = renewals(other).size();
    // It renews its lease and runs its cycle at the same pace.
    await("three cycles").atMost(PATIENCE).until(() -> renewals(other).size() >= before + 3);
  }

  /** When the first leader renewed its lease for the last time. */
  Instant lastRenewal() {
    return renewals(leader).getLast().answeredAt();
  }

  /** When the other one began to lead. */
  Instant takeover() {
    return renewals(other).getFirst().answeredAt();
  }

  private List<AuditLog.AuditEntry> renewals(Replica replica) {
    return audit.of(replica).stream()
        .filter(entry -> entry.deed().equals(RENEWAL) && entry.isAccepted())
        .toList();
  }

  private static Optional<String> holder(TestCluster cluster) {
    Lease lease =
        cluster.client().leases().inNamespace("gpu-reclaimer").withName("gpu-reclaimer").get();
    return Optional.ofNullable(lease).map(found -> found.getSpec().getHolderIdentity());
  }

  private static String identity(Replica replica) {
    return replica.awaitLine("self=").replaceAll(".*self=", "");
  }
}
