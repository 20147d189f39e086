package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.evidence.EvidenceLimits;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.micronaut.serde.annotation.Serdeable;

/** By which rules is judged, as far as they are configured. */
@Serdeable
public record JudgmentTerms(PolicyDefaults defaults, EvidenceLimits limits) {

  /** The judge who goes by them. */
  public Judge judge() {
    return new Judge(defaults, limits);
  }
}
