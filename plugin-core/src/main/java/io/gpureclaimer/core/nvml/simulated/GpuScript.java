package io.gpureclaimer.core.nvml.simulated;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What one simulated GPU does.
 *
 * @param gpu its index
 * @param utilizationPercent what the load wanders around; exact at 0 and at 100
 * @param memoryUsedMib frame buffer in use; absent: none when idle, else a quarter of the board
 * @param fault what is wrong with it, if anything
 * @param mig how it is divided; absent: as its profile has it
 * @param xids what it raises
 * @param processes who has it open
 */
public record GpuScript(
    int gpu,
    int utilizationPercent,
    OptionalInt memoryUsedMib,
    Optional<Fault> fault,
    Optional<MigLayout> mig,
    List<ScriptedXid> xids,
    List<ScriptedProcess> processes) {
  private static final int ALL = 100;

  public GpuScript {
    xids = List.copyOf(xids);
    processes = List.copyOf(processes);
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

  /** A GPU divided as its profile has it, that raises nothing and shows no processes. */
  public GpuScript(
      int gpu, int utilizationPercent, OptionalInt memoryUsedMib, Optional<Fault> fault) {
    this(gpu, utilizationPercent, memoryUsedMib, fault, Optional.empty(), List.of(), List.of());
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

  /** The same, divided so. */
  public GpuScript with(MigLayout layout) {
    return new GpuScript(
        gpu, utilizationPercent, memoryUsedMib, fault, Optional.of(layout), xids, processes);
  }

  /** The same, raising these. */
  public GpuScript raising(ScriptedXid... some) {
    return new GpuScript(
        gpu, utilizationPercent, memoryUsedMib, fault, mig, List.of(some), processes);
  }

  /** The same, with these on it. */
  public GpuScript running(ScriptedProcess... some) {
    return new GpuScript(gpu, utilizationPercent, memoryUsedMib, fault, mig, xids, List.of(some));
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
