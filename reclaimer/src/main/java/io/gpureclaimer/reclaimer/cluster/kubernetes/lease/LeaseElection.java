package io.gpureclaimer.reclaimer.cluster.kubernetes.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.common.time.MonotonicClock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One replica's attempts to get, keep and give back a Lease. Confined to one thread.
 *
 * <p>The times that others wrote are never compared with our clock: a Lease has expired when we saw
 * no change of it for its own duration.
 */
final class LeaseElection {
  private static final int CONFLICT = 409;

  private final KubernetesClient client;
  private final LeaseTerms terms;
  private final InstantSource clock;
  private final MonotonicClock monotonic;
  private Optional<ObservedVersion> lastSighting = Optional.empty();

  /** Which version of the Lease was seen first when. */
  private record ObservedVersion(String resourceVersion, long atNanos) {}

  LeaseElection(
      KubernetesClient client, LeaseTerms terms, InstantSource clock, MonotonicClock monotonic) {
    this.client = client;
    this.terms = terms;
    this.clock = clock;
    this.monotonic = monotonic;
  }

  /**
   * Renews or takes the Lease if that is allowed now.
   *
   * @throws KubernetesClientException if the API server does not answer, or refuses; the standing
   *     is then what it was
   */
  LeaseStatus attempt() {
    // Before the request, so that our tenure never ends later for us than for the others.
    long asked = monotonic.nanos();
    try {
      Lease lease = read();
      if (lease == null) {
        create();
        return LeaseStatus.leader(terms.identity(), asked, true);
      }
      String holder = holder(lease);
      if (!holder.equals(terms.identity()) && !holder.isEmpty() && !expired(lease, asked)) {
        return LeaseStatus.follower(holder);
      }
      Lease claimed = claimed(lease);
      write(claimed);
      return LeaseStatus.leader(
          terms.identity(), asked, claimed.getSpec().getLeaseTransitions() == 0);
    } catch (KubernetesClientException e) {
      if (e.getCode() == CONFLICT) {
        return LeaseStatus.UNKNOWN;
      }
      throw e;
    }
  }

  /** Lets the others know at once that we are gone. */
  void resign() {
    Lease lease = read();
    if (lease != null && holder(lease).equals(terms.identity())) {
      write(
          new LeaseBuilder(lease)
              .editSpec()
              .withHolderIdentity(null)
              .withLeaseDurationSeconds(1)
              .withRenewTime(now())
              .endSpec()
              .build());
    }
  }

  private boolean expired(Lease lease, long now) {
    String version = lease.getMetadata().getResourceVersion();
    ObservedVersion sighting =
        lastSighting
            .filter(seen -> seen.resourceVersion().equals(version))
            .orElseGet(() -> new ObservedVersion(version, now));
    lastSighting = Optional.of(sighting);
    return now - sighting.atNanos() > duration(lease).toNanos();
  }

  private Duration duration(Lease lease) {
    Integer seconds = lease.getSpec().getLeaseDurationSeconds();
    return seconds == null ? terms.duration() : Duration.ofSeconds(seconds);
  }

  private static String holder(Lease lease) {
    LeaseSpec spec = lease.getSpec();
    return spec == null || spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
  }

  private Lease claimed(Lease lease) {
    ZonedDateTime now = now();
    LeaseSpec before = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
    boolean ours = holder(lease).equals(terms.identity());
    int transitions = before.getLeaseTransitions() == null ? 0 : before.getLeaseTransitions();
    return new LeaseBuilder(lease)
        .editOrNewSpec()
        .withHolderIdentity(terms.identity())
        .withLeaseDurationSeconds(Math.toIntExact(terms.duration().toSeconds()))
        .withAcquireTime(ours ? before.getAcquireTime() : now)
        .withRenewTime(now)
        .withLeaseTransitions(ours ? transitions : transitions + 1)
        .endSpec()
        .build();
  }

  private void create() {
    Lease blank =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace(terms.namespace())
            .withName(terms.name())
            .endMetadata()
            .build();
    Lease first =
        new LeaseBuilder(claimed(blank)).editSpec().withLeaseTransitions(0).endSpec().build();
    client.resource(first).create();
  }

  private Lease read() {
    return client.leases().inNamespace(terms.namespace()).withName(terms.name()).get();
  }

  /** Carries the resource version that was read, so that of two candidates one gets a conflict. */
  private void write(Lease lease) {
    client.resource(lease).update();
  }

  private ZonedDateTime now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
  }

  /**
   * Where this replica stands in the campaign.
   *
   * @param holder who holds the lease, or empty
   * @param renewedNanos our monotonic time from which our own tenure counts; absent if another
   *     replica holds it
   * @param first whether we hold it, and no replica has before us
   */
  record LeaseStatus(String holder, Optional<Long> renewedNanos, boolean first) {
    static final LeaseStatus UNKNOWN = new LeaseStatus("", Optional.empty(), false);

    static LeaseStatus follower(String holder) {
      return new LeaseStatus(holder, Optional.empty(), false);
    }

    static LeaseStatus leader(String identity, long renewedNanos, boolean first) {
      return new LeaseStatus(identity, Optional.of(renewedNanos), first);
    }

    boolean isHeld(long nowNanos, Duration deadline) {
      return renewedNanos.filter(renewed -> nowNanos - renewed < deadline.toNanos()).isPresent();
    }
  }
}
