package io.gpureclaimer.verification.scenario.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.verification.scenario.harness.AuditLog;
import io.gpureclaimer.verification.scenario.harness.HeldAnswers;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The leader dies or stands still before, between and during what it does. */
@OnCluster
class FailoverE2E {
  private static final ShortIntervals QUICK =
      new ShortIntervals(Duration.ofSeconds(4), Duration.ofSeconds(2));
  private static final ShortIntervals PATIENT =
      new ShortIntervals(Duration.ofSeconds(12), Duration.ofSeconds(10));
  private static final Duration SLACK = Duration.ofSeconds(3);

  private static final List<String> EVICTION =
      List.of(
          "create reclamations 201",
          "patch reclamations/status 200",
          "create pods/eviction 201",
          "patch reclamations/status 200",
          "create events 201");

  private AuditLog audit;
  private TestNamespace tenant;
  private StubPrometheus prometheus;
  private Pod busy;

  @BeforeAll
  static void offerGpus(TestCluster cluster) {
    OwnCluster.orSkip();
    cluster.gpus(10);
  }

  @BeforeEach
  void setTheScene(TestCluster cluster, Replicas replicas) {
    audit = OwnCluster.orSkip().auditLog();
    tenant = TestNamespace.withMode(cluster, "always");
    prometheus = replicas.prometheus();
    busy = tenant.start("busy");
    prometheus.showsBusy(busy);
  }

  @AfterEach
  void theBusyPodIsAsItWas() {
    assertThat(tenant.now("busy")).contains(busy);
  }

  @Test
  void theOtherWarnsAndActs_whenTheLeaderDiesBeforeTheWarning(
      TestCluster cluster, Replicas replicas) {
    LeaderAndStandby pair = LeaderAndStandby.start(cluster, audit, replicas, prometheus, QUICK);
    Pod idle = tenant.start("idle");

    pair.leader().kill();
    Instant died = audit.of(pair.leader()).getLast().answeredAt();
    prometheus.showsIdle(idle);
    pair.other().awaitLine("evict", "done");

    assertThat(Duration.between(pair.lastRenewal(), pair.takeover()))
        .as("no replica leads before the lease has expired, and soon after one does")
        .isBetween(
            ShortIntervals.LEASE,
            ShortIntervals.LEASE.plus(ShortIntervals.LEASE_RETRY.multipliedBy(2)).plus(SLACK));
    assertThat(deedsOf(pair.leader())).isEmpty();
    await("the audit log has all writes")
        .untilAsserted(
            () ->
                assertThat(deedsOf(pair.other()))
                    .containsExactly(
                        "create events 201",
                        "patch pods 200",
                        "create reclamations 201",
                        "patch reclamations/status 200",
                        "create pods/eviction 201",
                        "patch reclamations/status 200",
                        "create events 201"));
    assertWarnedAndEvictedOnce();
    assertPromiseIsKept(pair);
    assertThat(pair.takeover()).isAfter(died);
  }

  @Tag("nightly")
  @Test
  void theOtherKeepsThePromise_whenTheLeaderDiesAfterTheWarning(
      TestCluster cluster, Replicas replicas) {
    LeaderAndStandby pair = LeaderAndStandby.start(cluster, audit, replicas, prometheus, PATIENT);
    prometheus.showsIdle(tenant.start("idle"));

    tenant.history().awaitWarned("idle");
    pair.leader().kill();
    pair.other().awaitLine("evict", "done");

    assertThat(deedsOf(pair.leader())).containsExactly("create events 201", "patch pods 200");
    assertThat(deedsOf(pair.other())).containsExactlyElementsOf(EVICTION);
    assertWarnedAndEvictedOnce();
    assertPromiseIsKept(pair);
  }

  @Tag("nightly")
  @Test
  void theOtherActs_whenTheLeaderDiesDuringItsSecondLook(TestCluster cluster, Replicas replicas) {
    HeldAnswers hold = prometheus.holdSecondLooks();
    LeaderAndStandby pair = LeaderAndStandby.start(cluster, audit, replicas, prometheus, QUICK);
    prometheus.showsIdle(tenant.start("idle"));

    hold.awaitAsked(1);
    pair.leader().kill();
    hold.awaitAsked(2);
    hold.end();
    pair.other().awaitLine("evict", "done");

    assertThat(deedsOf(pair.leader())).containsExactly("create events 201", "patch pods 200");
    assertThat(deedsOf(pair.other())).containsExactlyElementsOf(EVICTION);
    assertWarnedAndEvictedOnce();
    assertPromiseIsKept(pair);
  }

  @Test
  void theOtherDoesNothingTwice_whenTheLeaderDiesRightAfterTheEviction(
      TestCluster cluster, Replicas replicas) {
    LeaderAndStandby pair = LeaderAndStandby.start(cluster, audit, replicas, prometheus, QUICK);
    prometheus.showsIdle(tenant.start("idle"));

    tenant.history().awaitEvicted("idle");
    pair.leader().kill();
    pair.awaitTakeover();
    pair.awaitMoreCycles();

    // Whether it reported the eviction is a matter of milliseconds.
    assertThat(deedsOf(pair.leader()))
        .startsWith(
            "create events 201",
            "patch pods 200",
            "create reclamations 201",
            "patch reclamations/status 200",
            "create pods/eviction 201");
    assertThat(deedsOf(pair.other()))
        .as("it may complete the record, a minute later")
        .doesNotContain("create reclamations 201", "create pods/eviction 201");
    assertThat(reasons()).startsWith("GPUIdleWarned").doesNotHaveDuplicates();
    assertPromiseIsKept(pair);
  }

  @Test
  void theFrozenLeaderWritesNothing_whenItWakesUpAndAnotherLeads(
      TestCluster cluster, Replicas replicas) {
    HeldAnswers hold = prometheus.holdSecondLooks();
    LeaderAndStandby pair = LeaderAndStandby.start(cluster, audit, replicas, prometheus, QUICK);
    prometheus.showsIdle(tenant.start("idle"));

    hold.awaitAsked(1);
    pair.leader().freeze();
    pair.awaitTakeover();
    hold.awaitAsked(2);
    hold.answerOldest();
    pair.leader().thaw();
    pair.leader().awaitLine("evict", "left to the leader, which is another replica now");
    hold.end();
    pair.other().awaitLine("evict", "done");

    assertThat(
            audit.of(pair.leader()).stream()
                .filter(entry -> entry.isWrite() && entry.answeredAt().isAfter(pair.takeover())))
        .isEmpty();
    assertThat(deedsOf(pair.leader())).containsExactly("create events 201", "patch pods 200");
    assertThat(deedsOf(pair.other())).containsExactlyElementsOf(EVICTION);
    assertWarnedAndEvictedOnce();
  }

  /** All that a replica wrote or tried to write, but for its lease. */
  private List<String> deedsOf(Replica replica) {
    return audit.of(replica).stream()
        .filter(entry -> entry.isWrite() && !entry.resource().equals("leases"))
        .map(entry -> entry.deed() + " " + entry.code())
        .toList();
  }

  private void assertWarnedAndEvictedOnce() {
    assertThat(reasons()).containsExactly("GPUIdleWarned", "GPUReclaimed");
  }

  private List<String> reasons() {
    return tenant.notices("idle").stream().map(Event::getReason).toList();
  }

  private void assertPromiseIsKept(LeaderAndStandby pair) {
    Instant promised =
        Instant.parse(
            tenant
                .history()
                .awaitWarned("idle")
                .getMetadata()
                .getAnnotations()
                .get(Annotations.ACT_NOT_BEFORE));
    assertThat(
            Stream.of(pair.leader(), pair.other())
                .flatMap(replica -> audit.of(replica).stream())
                .filter(entry -> entry.resource().equals("pods/eviction")))
        .singleElement()
        .satisfies(eviction -> assertThat(eviction.answeredAt()).isAfterOrEqualTo(promised));
  }
}
