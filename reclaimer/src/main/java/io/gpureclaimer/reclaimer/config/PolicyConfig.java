package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults.VetoSettings.ActivityAnnotation;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What holds where no annotation says otherwise, and the bounds of what annotations may say. Bound
 * from {@code policy.*}.
 *
 * @param idleAfter how long a workload must have been idle before it may be reclaimed: a duration
 *     for all classes, or {@code by-class} for {@code policy.classes.*}
 * @param minIdleAfter the shortest that an annotation may ask for
 * @param maxIdleAfter the longest that an annotation may ask for
 * @param warnBefore time between the warning and the earliest action
 * @param minWarnBefore shortest {@code warn-before} that an annotation may set
 * @param maxWarnBefore longest {@code warn-before} that an annotation may set
 * @param startupGrace how long after its start the idle time of a workload begins
 * @param maxKeep idle time after which a workload's own {@code keep-until} is no longer honored
 * @param vetoes the signals that spare an idle workload
 * @param heartbeats the annotations by which an idle workload may say that it works: {@code
 *     last-activity}, and {@code notebook}, which is Kubeflow's
 */
@Context
@ConfigurationProperties("policy")
public record PolicyConfig(
    String idleAfter,
    Duration minIdleAfter,
    Duration maxIdleAfter,
    Duration warnBefore,
    Duration minWarnBefore,
    Duration maxWarnBefore,
    Duration startupGrace,
    Duration maxKeep,
    List<String> vetoes,
    List<String> heartbeats) {

  private static final String BY_CLASS = "by-class";

  public PolicyConfig {
    var minIdle = new Property("policy.min-idle-after", minIdleAfter);
    var maxIdle = new Property("policy.max-idle-after", maxIdleAfter);
    var warn = new Property("policy.warn-before", warnBefore);
    var minWarn = new Property("policy.min-warn-before", minWarnBefore);
    var maxWarn = new Property("policy.max-warn-before", maxWarnBefore);
    minIdle.mustBePositive();
    minIdle.mustBeAtMost(maxIdle);
    minWarn.mustBePositive();
    warn.mustBeAtLeast(minWarn);
    warn.mustBeAtMost(maxWarn);
    maxWarn.mustBeAtMost(maxIdle);
    idleAfter(idleAfter)
        .map(limit -> new Property("policy.idle-after", limit))
        .ifPresent(
            idle -> {
              idle.mustBeAtLeast(minIdle);
              idle.mustBeAtMost(maxIdle);
              warn.mustBeAtMost(idle);
            });
    new Property("policy.startup-grace", startupGrace).mustNotBeNegative();
    new Property("policy.max-keep", maxKeep).mustNotBeNegative();
    vetoes = List.copyOf(vetoes);
    heartbeats = List.copyOf(heartbeats);
    vetoSettings(vetoes, heartbeats);
  }

  /** The same for the judge; a namespace without annotations is only reported on. */
  public PolicyDefaults defaults(ClassesConfig classes) {
    return new PolicyDefaults(
        Mode.REPORT,
        idleAfter(idleAfter),
        minIdleAfter,
        maxIdleAfter,
        warnBefore,
        minWarnBefore,
        maxWarnBefore,
        classes.limits(),
        startupGrace,
        maxKeep,
        vetoSettings(vetoes, heartbeats),
        Optional.empty());
  }

  private static Optional<Duration> idleAfter(String text) {
    return text.equals(BY_CLASS)
        ? Optional.empty()
        : Optional.of(Property.duration("policy.idle-after", text, BY_CLASS));
  }

  private static VetoSettings vetoSettings(List<String> vetoes, List<String> heartbeats) {
    return new VetoSettings(
        Property.choices(
            "policy.vetoes", vetoes, Signal.SignalKind.values(), Signal.SignalKind::code),
        Property.choices(
            "policy.heartbeats",
            heartbeats,
            ActivityAnnotation.values(),
            ActivityAnnotation::code));
  }
}
