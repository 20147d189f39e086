package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * How good an observation must be to count. Bound from {@code evidence.*}.
 *
 * @param maxAge how old the newest sample of a GPU may be
 * @param maxAgeToAct the same for the check right before an action
 * @param maxSkew maximum difference between two clocks: of a node and the activity source, or of
 *     the activity source and the reclaimer
 * @param past how far back the past of idle workloads is read, at most once an hour; 0s for not at
 *     all
 */
@Context
@ConfigurationProperties("evidence")
public record EvidenceConfig(
    Duration maxAge, Duration maxAgeToAct, Duration maxSkew, Duration past) {
  private static final Duration SHORTEST_PAST = Duration.ofDays(1);
  private static final Duration LONGEST_PAST = Duration.ofDays(30);

  public EvidenceConfig {
    var age = new Property("evidence.max-age", maxAge);
    var ageToAct = new Property("evidence.max-age-to-act", maxAgeToAct);
    age.mustBePositive();
    ageToAct.mustBePositive();
    ageToAct.mustBeAtMost(age);
    new Property("evidence.max-skew", maxSkew).mustBePositive();
    var reach = new Property("evidence.past (--past)", past);
    reach.mustNotBeNegative();
    reach.mustBeAtMost(LONGEST_PAST);
    if (past.isPositive()) {
      reach.mustBeAtLeast(SHORTEST_PAST);
    }
  }

  /** The same for the judge. */
  public EvidenceLimits limits() {
    return new EvidenceLimits(maxAge, maxAgeToAct, maxSkew);
  }
}
