package io.gpureclaimer.reclaimer.policy;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a workload must have been idle where no annotation says it, by what it is for.
 *
 * @param interactive somebody works in it, and thinks in between
 * @param serving it waits for requests
 * @param batch it computes until it is done
 * @param elastic it grows and shrinks with its work
 */
public record ClassLimits(
    Duration interactive, Duration serving, Duration batch, Duration elastic) {

  /** The limit of this class; of the class other, what holds for all. */
  Optional<Duration> of(WorkloadClass workloadClass) {
    return switch (workloadClass) {
      case INTERACTIVE -> Optional.of(interactive);
      case SERVING -> Optional.of(serving);
      case BATCH -> Optional.of(batch);
      case ELASTIC -> Optional.of(elastic);
      case OTHER -> Optional.empty();
    };
  }
}
