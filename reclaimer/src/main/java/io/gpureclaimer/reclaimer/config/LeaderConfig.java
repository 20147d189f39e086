package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.cluster.kubernetes.lease.LeaseTerms;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The Lease that decides which replica acts. Bound from {@code leader.*}.
 *
 * @param namespace the Lease's namespace
 * @param name the Lease's name
 * @param identity name of this replica in the Lease; default: the host name and a random part
 * @param duration time without a renewal after which another replica may become leader
 * @param renewDeadline time without a renewal after which this replica stops acting
 * @param retryPeriod pause between two attempts
 */
@Context
@ConfigurationProperties("leader")
public record LeaderConfig(
    String namespace,
    String name,
    @Nullable String identity,
    Duration duration,
    Duration renewDeadline,
    Duration retryPeriod) {

  public LeaderConfig {
    mustNotBeBlank("leader.namespace", namespace);
    mustNotBeBlank("leader.name", name);
    if (identity != null) {
      mustNotBeBlank("leader.identity", identity);
    }
    if (duration.toNanosPart() != 0) {
      throw new IllegalArgumentException("leader.duration must be whole seconds, was " + duration);
    }
    var renew = new Property("leader.renew-deadline", renewDeadline);
    var retry = new Property("leader.retry-period", retryPeriod);
    retry.mustBePositive();
    retry.mustBeShorterThan(renew);
    renew.mustBeShorterThan(new Property("leader.duration", duration));
  }

  /**
   * A write that begins while the lease is held must end before another may hold it.
   *
   * @param write how long one may take, {@code kubernetes.request-timeout}
   */
  public void requireRoomFor(Duration write) {
    new Property("kubernetes.request-timeout", write)
        .mustBeAtMost(
            new Property("leader.duration - leader.renew-deadline", duration.minus(renewDeadline)));
  }

  /** The same for the campaign. */
  public LeaseTerms terms(String fallbackIdentity) {
    return new LeaseTerms(
        namespace,
        name,
        identity == null ? fallbackIdentity : identity,
        duration,
        renewDeadline,
        retryPeriod);
  }

  private static void mustNotBeBlank(String property, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(property + " must not be blank, was \"" + value + "\"");
    }
  }
}
