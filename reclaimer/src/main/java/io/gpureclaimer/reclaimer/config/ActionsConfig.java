package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.action.Actions;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Which actions this cluster allows. Bound from {@code actions.*}.
 *
 * @param enabled names of the actions: {@code evict}, {@code scale}, {@code suspend}, {@code stop}
 * @param scalable further kinds with a scale subresource, such as {@code Model.example.com}
 * @param demandSettles time without a pending pod that needs GPUs, after which owners with {@code
 *     restore: on-demand-clear} are restored
 */
@Context
@ConfigurationProperties("actions")
public record ActionsConfig(List<String> enabled, List<String> scalable, Duration demandSettles) {
  public ActionsConfig {
    new Property("actions.demand-settles", demandSettles).mustBePositive();
    enabled = List.copyOf(enabled);
    scalable = List.copyOf(scalable);
    var _ = new Actions(Set.copyOf(enabled), scalable);
  }

  /** The actions that are allowed. */
  public Actions actions() {
    return new Actions(Set.copyOf(enabled), scalable);
  }
}
