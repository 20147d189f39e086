package io.gpureclaimer.simulator;

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
 * @param recoveryAction NVML's number of what has to be done before the card is used again; 0 for
 *     nothing
 */
public record GpuScript(
    int gpu,
    int utilizationPercent,
    OptionalInt memoryUsedMib,
    Optional<Fault> fault,
    Optional<MigLayout> mig,
    List<ScriptedXid> xids,
    List<ScriptedProcess> processes,
    int recoveryAction) {
  private static final int ALL = 100;
  private static final int NO_ACTION = 0;

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
    require(recoveryAction >= 0, "recovery-action must not be negative", recoveryAction);
  }

  /** A GPU of which the driver wants nothing done. */
  public GpuScript(
      int gpu,
      int utilizationPercent,
      OptionalInt memoryUsedMib,
      Optional<Fault> fault,
      Optional<MigLayout> mig,
      List<ScriptedXid> xids,
      List<ScriptedProcess> processes) {
    this(gpu, utilizationPercent, memoryUsedMib, fault, mig, xids, processes, NO_ACTION);
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
        gpu,
        utilizationPercent,
        memoryUsedMib,
        fault,
        Optional.of(layout),
        xids,
        processes,
        recoveryAction);
  }

  /** The same, raising these. */
  public GpuScript raising(ScriptedXid... some) {
    return new GpuScript(
        gpu,
        utilizationPercent,
        memoryUsedMib,
        fault,
        mig,
        List.of(some),
        processes,
        recoveryAction);
  }

  /** The same, with these on it. */
  public GpuScript running(ScriptedProcess... some) {
    return new GpuScript(
        gpu, utilizationPercent, memoryUsedMib, fault, mig, xids, List.of(some), recoveryAction);
  }

  /** The same, of which the driver wants that done, in NVML's numbers. */
  public GpuScript wanting(int action) {
    return new GpuScript(
        gpu, utilizationPercent, memoryUsedMib, fault, mig, xids, processes, action);
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
