package io.gpureclaimer.verification.scenario.protection;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.verification.scenario.harness.AuditLog;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.OwnCluster;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that a disruption budget guards. */
@OnCluster
class BudgetE2E {
  private static final Manifest BUDGET = Manifest.beside(BudgetE2E.class, "budget.yaml");
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(4), Duration.ofSeconds(2));
  private static final String EVICTION = "create pods/eviction";
  private static final Pattern NOT_BEFORE = Pattern.compile("not before (\\S+Z): (.*)");

  private TestCluster cluster;
  private AuditLog audit;
  private TestNamespace tenant;
  private StubPrometheus prometheus;
  private Replica replica;

  @BeforeAll
  static void offerGpus(TestCluster cluster) {
    cluster.gpus(2);
  }

  @BeforeEach
  void startOne(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.audit = OwnCluster.orSkip().auditLog();
    this.tenant = TestNamespace.withMode(cluster, "always");
    this.prometheus = replicas.prometheus();
    this.replica = replicas.start("reclaimer", prometheus, PACE);
  }

  @Test
  void waitsForRoom_whenTheBudgetHasNone() {
    guard("guarded", 1);
    Pod guarded = tenant.start("guarded");
    prometheus.showsIdle(guarded);

    String reported = replica.awaitLine("evict", "not before");
    assertThat(evictions()).extracting(AuditLog.AuditEntry::code).containsExactly(429);
    assertThat(words(reported))
        .contains("disruption budget guarded needs 1 healthy pods and has 1 currently");
    assertThat(replica.metrics())
        .contains("gpu_reclaimer_steps_total{step=\"evict\",outcome=\"postponed\",} 1.0");
    assertThat(replica.get("/plan").body()).contains("not before", "needs 1 healthy pods");
    assertThat(tenant.now("guarded").orElseThrow().getMetadata().getUid())
        .isEqualTo(guarded.getMetadata().getUid());

    guard("guarded", 0);
    tenant.history().awaitEvicted("guarded");
    replica.awaitLine("evict", "done");
    assertThat(evictions()).extracting(AuditLog.AuditEntry::code).containsExactly(429, 201);
    assertThat(evictions().getLast().answeredAt()).isAfter(notBefore(reported));
  }

  @Test
  void comesBackWhenAsked_whileTheBudgetIsNotObservedYet() {
    Pod guarded = tenant.start("guarded");
    String reported;
    try (var _ = OwnCluster.orSkip().freeze("kube-controller-manager")) {
      guard("guarded", 0);
      prometheus.showsIdle(guarded);
      reported = replica.awaitLine("evict", "not before");
    }
    Instant refused = evictions().getFirst().answeredAt();

    assertThat(words(reported)).contains("still being processed");
    assertThat(Duration.between(refused, notBefore(reported)))
        .as("Retry-After of the API server, to the second")
        .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
    tenant.history().awaitEvicted("guarded");
    replica.awaitLine("evict", "done");
    assertThat(evictions()).extracting(AuditLog.AuditEntry::code).containsExactly(429, 201);
    assertThat(Duration.between(refused, evictions().getLast().answeredAt()))
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
  }

  private void guard(String app, int minAvailable) {
    cluster.apply(
        BUDGET
            .with("namespace", tenant.namespace())
            .with("app", app)
            .with("minAvailable", minAvailable));
  }

  private List<AuditLog.AuditEntry> evictions() {
    return audit.of(replica).stream().filter(entry -> entry.deed().equals(EVICTION)).toList();
  }

  private static Instant notBefore(String line) {
    return Instant.parse(match(line).group(1));
  }

  private static String words(String line) {
    return match(line).group(2);
  }

  private static Matcher match(String line) {
    Matcher matcher = NOT_BEFORE.matcher(line);
    assertThat(matcher.find()).as(line).isTrue();
    return matcher;
  }
}
