package io.gpureclaimer.reclaimer.evidence;

import java.time.Duration;

/**
 * How good an observation must be to count as evidence.
 *
 * @param maxAge the newest sample of every GPU may be this old
 * @param maxAgeToAct the same right before an act
 * @param maxSkew a node's clock and the source's clock may differ by this much
 */
public record EvidenceLimits(Duration maxAge, Duration maxAgeToAct, Duration maxSkew) {
  public EvidenceLimits {
    if (!maxAge.isPositive()) {
      throw new IllegalArgumentException("maxAge must be positive, was " + maxAge);
    }
    if (!maxAgeToAct.isPositive() || maxAgeToAct.compareTo(maxAge) > 0) {
      throw new IllegalArgumentException(
          "maxAgeToAct must be positive and at most maxAge " + maxAge + ", was " + maxAgeToAct);
    }
    if (!maxSkew.isPositive()) {
      throw new IllegalArgumentException("maxSkew must be positive, was " + maxSkew);
    }
  }
}
