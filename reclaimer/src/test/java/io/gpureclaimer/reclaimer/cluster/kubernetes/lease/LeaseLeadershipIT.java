package io.gpureclaimer.reclaimer.cluster.kubernetes.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.audit.CapturedLog;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.LeadershipContract;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseLeadershipIT extends LeadershipContract {
  private static final String NAMESPACE = "gpu-reclaimer";
  private static final String NAME = "gpu-reclaimer";
  private static final String PATH =
      "/apis/coordination.k8s.io/v1/namespaces/gpu-reclaimer/leases/gpu-reclaimer";
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-01-01T00:00:00.123456Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW.toInstant());
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.connect();
  private final AtomicLong nanos = new AtomicLong();
  private final LeaseLeadership one = candidate("one");
  private final LeaseLeadership two = candidate("two");

  @AfterEach
  void tearDown() {
    client.close();
    server.close();
  }

  @Override
  protected Leadership leadership() {
    return one;
  }

  @Override
  protected String identity() {
    return "one";
  }

  @Override
  protected void win() {
    one.step();
  }

  @Override
  protected void loseTo(String other) {
    LeaseLeadership successor = candidate(other);
    successor.step();
    advance(LEASE.plusNanos(1));
    successor.step();
    one.step();
  }

  @Test
  void isAcquired_whenNoReplicaHasIt() {
    one.step();

    assertThat(one.isHeld()).isTrue();
    assertThat(one.holder()).isEqualTo("one");
    assertThat(spec()).isEqualTo(heldBy("one", 0));
    assertThat(one.isFirst()).isTrue();
    one.step();
    assertThat(one.isFirst()).isTrue();
  }

  @Test
  void saysWhyItFails_andAgainOnlyWhenTheReasonIsAnother() {
    try (var log = new CapturedLog(LeaseLeadership.class)) {
      server.force("GET", PATH, 503, "not yet");
      one.step();
      one.step();
      assertThat(log.take()).hasSize(1);

      server.force("GET", PATH, 403, "leases is forbidden");
      one.step();
      one.step();
      assertThat(log.take()).hasSize(1);
    }
  }

  @Test
  void doesNotLead_andGoesOnTrying_whenAnAttemptBreaksOffUnexpectedly() {
    var broken = new AtomicBoolean();
    LeaseLeadership fragile = leadership("fragile", failingWhile(broken));
    fragile.attempt();
    assertThat(fragile.isHeld()).isTrue();

    try (var log = new CapturedLog(LeaseLeadership.class)) {
      broken.set(true);
      fragile.attempt();
      assertThat(fragile.isHeld()).isFalse();
      assertThat(log.take())
          .singleElement()
          .asString()
          .startsWith("ERROR lease gpu-reclaimer: an attempt failed unexpectedly");
    }
    broken.set(false);
    fragile.attempt();
    assertThat(fragile.isHeld()).isTrue();
  }

  @Test
  void theThreadOutlivesAnAttemptThatBreaksOff() {
    var broken = new AtomicBoolean(true);
    try (var log = new CapturedLog(LeaseLeadership.class);
        var fragile =
            LeaseLeadership.campaign(
                client, quick("fragile"), failingWhile(broken), MonotonicClock.SYSTEM)) {
      await().until(() -> log.take().stream().anyMatch(line -> line.startsWith("ERROR")));
      broken.set(false);
      await().until(fragile::isHeld);
    }
  }

  private static InstantSource failingWhile(AtomicBoolean broken) {
    return () -> {
      if (broken.get()) {
        throw new IllegalStateException("unexpected failure");
      }
      return NOW.toInstant();
    };
  }

  @Test
  void follows_whenAnotherHoldsIt() {
    one.step();
    two.step();

    assertThat(two.isHeld()).isFalse();
    assertThat(two.isFirst()).isFalse();
    assertThat(two.holder()).isEqualTo("one");
  }

  @Test
  void takesOver_onlyWhenNoSignOfLifeWasSeenForTheWholeLease() {
    one.step();
    two.step();
    advance(LEASE);
    two.step();
    assertThat(two.isHeld()).isFalse();

    advance(Duration.ofNanos(1));
    two.step();

    assertThat(two.isHeld()).isTrue();
    assertThat(spec()).isEqualTo(heldBy("two", 1));
    one.step();
    assertThat(one.isHeld()).isFalse();
    assertThat(one.holder()).isEqualTo("two");
  }

  @Test
  void doesNotTakeOver_whileTheHolderRenews() {
    InstantSource later = InstantSource.fixed(NOW.toInstant().plusSeconds(9));
    one.step();
    two.step();
    advance(Duration.ofSeconds(9));
    leadership("one", later).step();
    advance(Duration.ofSeconds(9));
    two.step();

    assertThat(two.isHeld()).isFalse();
  }

  @Test
  void endsWithItsDeadline_evenIfNothingSaysSo() {
    one.step();
    advance(DEADLINE.minusNanos(1));
    assertThat(one.isHeld()).isTrue();

    advance(Duration.ofNanos(1));
    assertThat(one.isHeld()).isFalse();
  }

  @Test
  void isHeldAgain_whenRenewed() {
    one.step();
    advance(DEADLINE);
    one.step();

    assertThat(one.isHeld()).isTrue();
    assertThat(spec()).isEqualTo(heldBy("one", 0));
  }

  @Test
  void outlastsAShortFailureOfTheServer_butNotItsDeadline() {
    one.step();
    server.force("GET", PATH, 503, "not now");
    advance(DEADLINE.minusNanos(1));
    one.step();
    assertThat(one.isHeld()).isTrue();

    advance(Duration.ofNanos(1));
    one.step();
    assertThat(one.isHeld()).isFalse();
  }

  @Test
  void endsWithItsDeadline_whenTheServerIsDown() {
    one.step();
    server.cutOff();
    one.step();
    assertThat(one.isHeld()).isTrue();

    advance(DEADLINE);
    assertThat(one.isHeld()).isFalse();
  }

  @Test
  void isNotHeld_whenAnotherProgramWroteInBetween() {
    one.step();
    server.force("PUT", PATH, 409, "the object has been modified");
    one.step();

    assertThat(one.isHeld()).isFalse();
  }

  @Test
  void isHeldAgain_whenTheLeaseWasDeleted() {
    one.step();
    server.admin().leases().inNamespace(NAMESPACE).withName(NAME).delete();
    one.step();

    assertThat(one.isHeld()).isTrue();
    assertThat(spec()).isEqualTo(heldBy("one", 0));
  }

  /** Exactly what the role of the Helm chart has to allow. */
  @Test
  void readsCreatesAndUpdates_andNothingElse() {
    one.step();
    one.step();
    one.resign();

    String folder = PATH.substring(0, PATH.lastIndexOf('/'));
    assertThat(server.calls())
        .containsExactly(
            "GET " + PATH,
            "POST " + folder,
            "GET " + PATH,
            "PUT " + PATH,
            "GET " + PATH,
            "PUT " + PATH);
  }

  @Test
  void isGivenBack_soThatAnotherNeedNotWait() {
    one.step();
    one.resign();
    assertThat(one.isHeld()).isFalse();
    assertThat(spec().getHolderIdentity()).isNull();

    two.step();
    assertThat(two.isHeld()).isTrue();
  }

  @Test
  void isNotGivenBack_whenItIsNotOurs() {
    one.step();
    two.step();
    two.resign();

    assertThat(spec()).isEqualTo(heldBy("one", 0));
  }

  @Test
  void campaignsOnItsOwn_untilItIsClosed() {
    LeaseTerms terms =
        new LeaseTerms(NAMESPACE, NAME, "three", LEASE, DEADLINE, Duration.ofMillis(10));
    try (var leadership =
        LeaseLeadership.campaign(client, terms, InstantSource.system(), MonotonicClock.SYSTEM)) {
      await().until(leadership::isHeld);
      ZonedDateTime first = spec().getRenewTime();
      await().until(() -> spec().getRenewTime().isAfter(first));
    }
    assertThat(spec().getHolderIdentity()).isNull();
  }

  private LeaseLeadership candidate(String identity) {
    return leadership(identity, CLOCK);
  }

  private LeaseLeadership leadership(String identity, InstantSource clock) {
    LeaseTerms terms =
        new LeaseTerms(NAMESPACE, NAME, identity, LEASE, DEADLINE, Duration.ofSeconds(2));
    return new LeaseLeadership(
        new LeaseElection(client, terms, clock, nanos::get), terms, nanos::get);
  }

  private static LeaseTerms quick(String identity) {
    return new LeaseTerms(NAMESPACE, NAME, identity, LEASE, DEADLINE, Duration.ofMillis(20));
  }

  private void advance(Duration by) {
    nanos.addAndGet(by.toNanos());
  }

  private LeaseSpec spec() {
    Lease lease = server.admin().leases().inNamespace(NAMESPACE).withName(NAME).get();
    return lease.getSpec();
  }

  private static LeaseSpec heldBy(String identity, int transitions) {
    return new LeaseSpecBuilder()
        .withHolderIdentity(identity)
        .withLeaseDurationSeconds(15)
        .withAcquireTime(NOW)
        .withRenewTime(NOW)
        .withLeaseTransitions(transitions)
        .build();
  }
}
