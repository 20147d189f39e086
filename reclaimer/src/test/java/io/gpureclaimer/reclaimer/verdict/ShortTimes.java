package io.gpureclaimer.reclaimer.verdict;

import io.gpureclaimer.reclaimer.evidence.EvidenceRule.EvidenceLimits;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.ClassLimits;
import java.time.Duration;
import java.util.Optional;

/** A judge of short idle times, so that histories of an hour or two are long. */
public final class ShortTimes {
  public static final Duration IDLE_AFTER = Duration.ofMinutes(10);
  public static final Duration WARN_BEFORE = Duration.ofMinutes(3);
  public static final Duration MAX_AGE = Duration.ofMinutes(2);
  static final Duration MAX_SKEW = Duration.ofSeconds(30);

  public static final Judge JUDGE =
      new Judge(
          new PolicyDefaults(
              Mode.REPORT,
              Optional.empty(),
              Duration.ofMinutes(1),
              Duration.ofDays(1),
              WARN_BEFORE,
              Duration.ofMinutes(1),
              Duration.ofDays(1),
              new ClassLimits(
                  JudgeScenario.IDLE_AFTER,
                  JudgeScenario.IDLE_AFTER,
                  JudgeScenario.IDLE_AFTER,
                  JudgeScenario.IDLE_AFTER,
                  IDLE_AFTER),
              Duration.ZERO,
              Duration.ofDays(7),
              JudgeScenario.DEFAULTS.vetoSettings(),
              Optional.empty()),
          new EvidenceLimits(MAX_AGE, MAX_AGE, MAX_SKEW));

  private ShortTimes() {}
}
