package io.gpureclaimer.core.nvml.simulated;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What one simulated GPU does.
 *
 * @param gpu its index
 * @param utilizationPercent what the load wanders around; exact at 0 and at 100
 * @param memoryUsedMib frame buffer in use; absent: none when idle, else a quarter of the board
 * @param fault what is wrong with it, if anything
 */
public record GpuScript(
    int gpu, int utilizationPercent, OptionalInt memoryUsedMib, Optional<Fault> fault) {
  private static final int ALL = 100;

  public GpuScript {
    require(gpu >= 0, "gpu must not be negative", gpu);
    require(
        utilizationPercent >= 0 && utilizationPercent <= ALL,
        "utilization must be from 0 to 100",
        utilizationPercent);
    require(
        memoryUsedMib.orElse(0) >= 0,
        "memory-used-mib must not be negative",
        memoryUsedMib.orElse(0));
  }

  /** A GPU on which nothing runs. */
  public static GpuScript idle(int gpu) {
    return new GpuScript(gpu, 0, OptionalInt.empty(), Optional.empty());
  }

  /** A GPU under load. */
  public static GpuScript busy(int gpu, int utilizationPercent) {
    return new GpuScript(gpu, utilizationPercent, OptionalInt.empty(), Optional.empty());
  }

  /** An idle GPU with something wrong. */
  public static GpuScript broken(int gpu, Fault fault) {
    return new GpuScript(gpu, 0, OptionalInt.empty(), Optional.of(fault));
  }

  boolean has(Fault some) {
    return fault.filter(some::equals).isPresent();
  }

  private static void require(boolean rule, String text, int value) {
    if (!rule) {
      throw new IllegalArgumentException(text + ", was " + value);
    }
  }
}
