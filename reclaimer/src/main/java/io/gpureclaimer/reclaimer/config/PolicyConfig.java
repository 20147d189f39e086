package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * What holds where no annotation says otherwise, and the bounds of what annotations may say. Bound
 * from {@code policy.*}.
 *
 * @param idleAfter how long a workload must have been idle before it may be reclaimed
 * @param minIdleAfter the shortest that an annotation may ask for
 * @param maxIdleAfter the longest that an annotation may ask for
 * @param warnBefore how long before that it is warned
 * @param minWarnBefore the shortest that an annotation may ask for
 * @param maxWarnBefore the longest that an annotation may ask for
 */
@Context
@ConfigurationProperties("policy")
public record PolicyConfig(
    Duration idleAfter,
    Duration minIdleAfter,
    Duration maxIdleAfter,
    Duration warnBefore,
    Duration minWarnBefore,
    Duration maxWarnBefore) {

  public PolicyConfig {
    var idle = new Property("policy.idle-after", idleAfter);
    var minIdle = new Property("policy.min-idle-after", minIdleAfter);
    var maxIdle = new Property("policy.max-idle-after", maxIdleAfter);
    var warn = new Property("policy.warn-before", warnBefore);
    var minWarn = new Property("policy.min-warn-before", minWarnBefore);
    var maxWarn = new Property("policy.max-warn-before", maxWarnBefore);
    minIdle.mustBePositive();
    idle.mustBeAtLeast(minIdle);
    idle.mustBeAtMost(maxIdle);
    minWarn.mustBePositive();
    warn.mustBeAtLeast(minWarn);
    warn.mustBeAtMost(maxWarn);
    warn.mustBeAtMost(idle);
    maxWarn.mustBeAtMost(maxIdle);
  }

  /** The same for the judge; a namespace without annotations is only reported on. */
  public PolicyDefaults defaults() {
    return new PolicyDefaults(
        Mode.REPORT,
        idleAfter,
        minIdleAfter,
        maxIdleAfter,
        warnBefore,
        minWarnBefore,
        maxWarnBefore);
  }
}
