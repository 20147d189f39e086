package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.activity.EvidenceLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * How good an observation must be to count. Bound from {@code evidence.*}.
 *
 * @param maxAge how old the newest sample of a GPU may be
 * @param maxAgeToAct the same right before an act
 * @param maxSkew how far a node's clock may be from the source's
 */
@Context
@ConfigurationProperties("evidence")
public record EvidenceConfig(Duration maxAge, Duration maxAgeToAct, Duration maxSkew) {
  public EvidenceConfig {
    if (!maxAge.isPositive()) {
      throw new IllegalArgumentException("evidence.max-age must be positive, was " + maxAge);
    }
    if (!maxAgeToAct.isPositive() || maxAgeToAct.compareTo(maxAge) > 0) {
      throw new IllegalArgumentException(
          "evidence.max-age-to-act must be positive and at most evidence.max-age "
              + maxAge
              + ", was "
              + maxAgeToAct);
    }
    if (!maxSkew.isPositive()) {
      throw new IllegalArgumentException("evidence.max-skew must be positive, was " + maxSkew);
    }
  }

  /** The same for the judge. */
  public EvidenceLimits limits() {
    return new EvidenceLimits(maxAge, maxAgeToAct, maxSkew);
  }
}
