package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.doctor.NodeFiles;
import io.gpureclaimer.doctor.Outcome;
import io.gpureclaimer.doctor.UnrequestedGpus;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether containers without a GPU request see GPUs, as checked at the start.
 *
 * @param found what the node's files say
 */
public record GpuExposure(Outcome found) {
  private static final Logger log = LoggerFactory.getLogger(GpuExposure.class);

  /**
   * Checks, and warns if they do.
   *
   * @param refuse whether such a node is not to be served
   * @throws IllegalArgumentException if it is not, and they do, or that cannot be decided
   */
  public static GpuExposure of(NodeFiles files, boolean refuse) {
    var exposure = new GpuExposure(UnrequestedGpus.in(files));
    switch (exposure.found()) {
      case Outcome.Warning(var found, var advice) when refuse -> throw refusal(found, advice);
      case Outcome.Undecided(var reason) when refuse ->
          throw refusal("whether GPUs are exposed cannot be decided", reason);
      case Outcome.Warning(var found, var advice) ->
          log.warn("device plugin: {} -> {}", found, advice);
      case Outcome.Undecided _, Outcome.NotApplicable _, Outcome.Ok _, Outcome.Problem _ -> {}
    }
    return exposure;
  }

  private static IllegalArgumentException refusal(String found, String advice) {
    return new IllegalArgumentException(
        "device-plugin.refuse-exposure is true, but " + found + " -> " + advice);
  }

  /** Empty if that cannot be decided. */
  Optional<Boolean> isOpen() {
    return switch (found) {
      case Outcome.Warning _, Outcome.Problem _ -> Optional.of(true);
      case Outcome.Ok _ -> Optional.of(false);
      case Outcome.Undecided _, Outcome.NotApplicable _ -> Optional.empty();
    };
  }
}
