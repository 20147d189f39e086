package io.gpureclaimer.exporter.sample;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Use of a device by all processes of one container.
 *
 * @param holder the container
 * @param memoryBytes frame buffer; null when it is not known of each of its processes
 * @param smPercent share of time on the multiprocessors; null likewise
 */
public record ContainerUse(Holder holder, @Nullable Long memoryBytes, @Nullable Double smPercent) {

  /** Frame buffer; empty when it is not known of each of its processes. */
  public Optional<Long> memory() {
    return Optional.ofNullable(memoryBytes);
  }

  /** Share of time on the multiprocessors; empty likewise. */
  public Optional<Double> sm() {
    return Optional.ofNullable(smPercent);
  }
}
