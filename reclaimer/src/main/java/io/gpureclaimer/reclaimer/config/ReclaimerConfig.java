package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.common.program.KnownKeys;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import java.time.Duration;
import java.util.Optional;

/**
 * How the reclaimer runs. Bound from {@code reclaimer.*}.
 *
 * @param interval pause between two cycles; at least one second
 * @param dryRun {@code true} to report what would be done, and write nothing
 * @param schedule whether cycles run by themselves; a single command runs one of its own
 * @param teamLabel the label of pods, owners and namespaces whose value is the label {@code team}
 *     of metrics, or {@code none}
 * @param cluster {@code kubernetes}, or {@code embedded} where the host program brings its own
 */
@Context
@ConfigurationProperties("reclaimer")
public record ReclaimerConfig(
    Duration interval, String dryRun, boolean schedule, String teamLabel, String cluster) {
  private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);

  public ReclaimerConfig {
    new Property("reclaimer.interval", interval).mustBeAtLeast(SHORTEST_INTERVAL);
    if (!dryRun.equals("true") && !dryRun.equals("false")) {
      throw new IllegalArgumentException("reclaimer.dry-run must be true or false, was " + dryRun);
    }
    if (!cluster.equals("kubernetes") && !cluster.equals("embedded")) {
      throw new IllegalArgumentException(
          "reclaimer.cluster must be kubernetes or embedded, was " + cluster);
    }
  }

  /** The label whose value is the team; absent if teams are not reported. */
  public Optional<String> teamLabelIfAny() {
    return Optional.of(teamLabel).filter(label -> !label.equals("none"));
  }

  /** Whether nothing may be written. */
  public boolean isDryRun() {
    return dryRun.equals("true");
  }

  /** Stops the start when there is an unknown key under one of our prefixes. */
  @Context
  static final class UnknownKeysCheck {
    UnknownKeysCheck(BeanContext beans, Environment environment) {
      KnownKeys.of(beans, ReclaimerConfig.class.getPackageName()).check(environment);
    }
  }
}
