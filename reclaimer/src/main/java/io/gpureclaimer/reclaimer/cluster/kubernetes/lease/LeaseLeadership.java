package io.gpureclaimer.reclaimer.cluster.kubernetes.lease;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.cluster.kubernetes.lease.LeaseElection.LeaseStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership by a {@code coordination.k8s.io} Lease. One thread of its own campaigns; any thread
 * may ask.
 *
 * <p>Whether the lease is held is decided at the moment of asking, by our own monotonic clock: a
 * renewal that hangs or never comes back ends our tenure all the same.
 */
public final class LeaseLeadership implements Leadership, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaseLeadership.class);
  private static final Duration PATIENCE_AT_CLOSE = Duration.ofSeconds(15);

  private final LeaseElection campaign;
  private final LeaseTerms terms;
  private final MonotonicClock monotonic;
  private final AtomicReference<LeaseStatus> standing = new AtomicReference<>(LeaseStatus.UNKNOWN);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread campaigner;
  private Optional<String> lastFailure = Optional.empty();

  LeaseLeadership(LeaseElection campaign, LeaseTerms terms, MonotonicClock monotonic) {
    this.campaign = campaign;
    this.terms = terms;
    this.monotonic = monotonic;
    this.campaigner = Thread.ofPlatform().daemon().name("lease").unstarted(this::run);
  }

  /**
   * Starts to campaign and returns at once, not holding the lease yet.
   *
   * @param client stays open when this is closed
   * @param clock time of what is written into the Lease, for people; decisions do not depend on it
   */
  public static LeaseLeadership campaign(
      KubernetesClient client, LeaseTerms terms, InstantSource clock, MonotonicClock monotonic) {
    var leadership =
        new LeaseLeadership(new LeaseElection(client, terms, clock, monotonic), terms, monotonic);
    leadership.campaigner.start();
    return leadership;
  }

  @Override
  public boolean isHeld() {
    return standing.get().isHeld(monotonic.nanos(), terms.renewDeadline());
  }

  @Override
  public boolean isFirst() {
    LeaseStatus now = standing.get();
    return now.first() && now.isHeld(monotonic.nanos(), terms.renewDeadline());
  }

  @Override
  public String identity() {
    return terms.identity();
  }

  @Override
  public String holder() {
    return standing.get().holder();
  }

  /** Stops campaigning and, if the lease is held, gives it back. */
  @Override
  public void close() {
    closing.countDown();
    try {
      campaigner.join(PATIENCE_AT_CLOSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      do {
        attempt();
      } while (!closing.await(terms.retryPeriod().toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      resign();
    }
  }

  /**
   * Makes one attempt. An unexpected exception ends the leadership of this replica, but not the
   * campaign.
   */
  void attempt() {
    try {
      step();
    } catch (RuntimeException | LinkageError e) {
      standing.set(LeaseStatus.UNKNOWN);
      log.error(
          "lease {}: an attempt failed unexpectedly, so this replica does not lead; trying again",
          terms.name(),
          e);
    }
  }

  /**
   * One attempt. When it fails, we stay who we were until the deadline passes. What fails again for
   * the same reason is not said again; behind a timeout, a refusal may come to light.
   */
  void step() {
    try {
      take(campaign.attempt());
      lastFailure = Optional.empty();
    } catch (KubernetesClientException e) {
      Optional<String> failure = Optional.of(String.valueOf(e.getMessage()));
      if (!failure.equals(lastFailure)) {
        log.warn("lease {} cannot be read or written; trying again", terms.name(), e);
      }
      lastFailure = failure;
    }
  }

  void resign() {
    boolean held = isHeld();
    standing.set(LeaseStatus.UNKNOWN);
    if (!held) {
      return;
    }
    try {
      campaign.resign();
      log.info("lease {} released", terms.name());
    } catch (KubernetesClientException e) {
      log.warn("lease {} could not be released; it will expire", terms.name(), e);
    }
  }

  private void take(LeaseStatus now) {
    LeaseStatus before = standing.getAndSet(now);
    if (!before.holder().equals(now.holder())) {
      log.info(
          "lease {}: holder={}, self={}",
          terms.name(),
          now.holder().isEmpty() ? "unknown" : now.holder(),
          terms.identity());
    }
  }
}
