package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.policy.CheckpointTargets;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which checkpoint hooks of workloads are called before an action, and for how long an action waits
 * for them. Bound from {@code checkpoint.*}.
 *
 * @param allowed prefixes of URLs such as {@code https://hooks.example.com/gpu/}, and host suffixes
 *     such as {@code .svc.cluster.local} for the namespace of the workload; empty: no hook is
 *     called
 * @param timeout within which a hook must answer; at most 10 minutes
 * @param attempts calls without a confirmation after which the action follows without a checkpoint;
 *     from 1 to 20
 * @param caFile PEM certificates to trust instead of the JVM's
 */
@Context
@ConfigurationProperties("checkpoint")
public record CheckpointConfig(
    List<String> allowed, Duration timeout, int attempts, @Nullable Path caFile) {
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);
  private static final int MOST_ATTEMPTS = 20;

  public CheckpointConfig {
    var wait = new Property("checkpoint.timeout", timeout);
    wait.mustBePositive();
    wait.mustBeAtMost(LONGEST_TIMEOUT);
    if (attempts < 1 || attempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "checkpoint.attempts must be from 1 to " + MOST_ATTEMPTS + ", was " + attempts);
    }
    allowed = List.copyOf(allowed);
    var _ = CheckpointTargets.of(allowed);
  }

  /** The hooks that may be called. */
  public CheckpointTargets targets() {
    return CheckpointTargets.of(allowed);
  }
}
