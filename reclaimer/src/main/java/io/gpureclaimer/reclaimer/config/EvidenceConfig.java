package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
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
    var age = new Property("evidence.max-age", maxAge);
    var ageToAct = new Property("evidence.max-age-to-act", maxAgeToAct);
    age.mustBePositive();
    ageToAct.mustBePositive();
    ageToAct.mustBeAtMost(age);
    new Property("evidence.max-skew", maxSkew).mustBePositive();
  }

  /** The same for the judge. */
  public EvidenceLimits limits() {
    return new EvidenceLimits(maxAge, maxAgeToAct, maxSkew);
  }
}
