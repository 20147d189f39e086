package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * GPUs that are free because their workload was reclaimed, until that workload runs again or would
 * have ended, and who uses them meanwhile. Confined to the thread of the simulation.
 */
final class FreedGpus {
  private final Map<GpuUuid, FreedGpu> freed = new HashMap<>();
  private final Map<SimulatedWorkload, List<GpuUuid>> byWorkload = new LinkedHashMap<>();
  private final Map<String, Long> usedSeconds = new TreeMap<>();
  private final Map<SimulatedWorkload, List<FreedGpu>> byUnit = new HashMap<>();
  private long freedSeconds;
  private long unitSeconds;
  private long usedByUnitSeconds;

  /** One GPU that a reclaimed workload gave back. */
  private static final class FreedGpu {
    private final String node;
    private final long since;
    private Optional<SimulatedWorkload> user = Optional.empty();
    private OptionalLong usedSince = OptionalLong.empty();

    /** For whom it was freed, until that is over. */
    private Optional<SimulatedWorkload> unit;

    /** Since when that has it, or another GPU of the node in its place. */
    private OptionalLong unitSince = OptionalLong.empty();

    private FreedGpu(String node, Optional<SimulatedWorkload> unit, long since) {
      this.node = node;
      this.unit = unit;
      this.since = since;
    }
  }

  /**
   * A pod of a reclaimed workload gave its GPUs back; one that was freed before counts once.
   *
   * @param node where they are
   * @param unit the pending workload for which they were freed; empty if that has ended
   */
  void free(
      SimulatedWorkload reclaimed,
      List<GpuUuid> devices,
      String node,
      Optional<SimulatedWorkload> unit,
      long now) {
    List<GpuUuid> added = new ArrayList<>();
    for (GpuUuid device : devices) {
      var gpu = new FreedGpu(node, unit, now);
      if (freed.putIfAbsent(device, gpu) == null) {
        added.add(device);
        unit.ifPresent(each -> byUnit.computeIfAbsent(each, _ -> new ArrayList<>()).add(gpu));
      }
    }
    if (!added.isEmpty()) {
      byWorkload.computeIfAbsent(reclaimed, _ -> new ArrayList<>()).addAll(added);
    }
  }

  /**
   * A pod of a workload gets GPUs, of which some may be freed ones. Which GPUs of a node it gets is
   * chance, so for a unit only their number counts.
   *
   * @param node where they are
   */
  void take(SimulatedWorkload user, List<GpuUuid> devices, String node, long now) {
    close(user, now);
    byUnit.getOrDefault(user, List.of()).stream()
        .filter(gpu -> gpu.unit.isPresent() && gpu.unitSince.isEmpty() && gpu.node.equals(node))
        .limit(devices.size())
        .forEach(gpu -> gpu.unitSince = OptionalLong.of(now));
    for (GpuUuid device : devices) {
      FreedGpu gpu = freed.get(device);
      if (gpu != null) {
        gpu.user = Optional.of(user);
        gpu.usedSince = OptionalLong.of(now);
      }
    }
  }

  /** A workload no longer holds its GPUs, and so needs no others that were freed for it. */
  void release(SimulatedWorkload user, List<GpuUuid> devices, long now) {
    for (GpuUuid device : devices) {
      FreedGpu gpu = freed.get(device);
      if (gpu != null) {
        settleUse(gpu, now);
      }
    }
    endUnit(user, now);
  }

  /** A workload has ended, or no longer runs, so that no GPUs are free for it. */
  void endUnit(SimulatedWorkload unit, long now) {
    Optional.ofNullable(byUnit.remove(unit)).orElse(List.of()).forEach(gpu -> endUnit(gpu, now));
  }

  private void endUnit(FreedGpu gpu, long now) {
    if (gpu.unit.isPresent()) {
      unitSeconds += now - gpu.since;
      usedByUnitSeconds += gpu.unitSince.isPresent() ? now - gpu.unitSince.getAsLong() : 0;
      gpu.unit = Optional.empty();
    }
  }

  /** The reclaimed workload runs again, or would have ended now. */
  void close(SimulatedWorkload reclaimed, long now) {
    List<GpuUuid> devices = byWorkload.remove(reclaimed);
    if (devices == null) {
      return;
    }
    remove(devices, now);
  }

  /** The node of these GPUs is gone. */
  void remove(List<GpuUuid> devices, long now) {
    for (GpuUuid device : devices) {
      FreedGpu gpu = freed.remove(device);
      if (gpu != null) {
        settleUse(gpu, now);
        freedSeconds += now - gpu.since;
        endUnit(gpu, now);
      }
    }
  }

  /** The simulation ends. */
  void closeAll(long now) {
    List.copyOf(byWorkload.keySet()).forEach(reclaimed -> close(reclaimed, now));
  }

  private void settleUse(FreedGpu gpu, long now) {
    if (gpu.usedSince.isPresent()) {
      usedSeconds.merge(
          gpu.user.orElseThrow().trace().namespace(), now - gpu.usedSince.getAsLong(), Long::sum);
    }
    gpu.user = Optional.empty();
    gpu.usedSince = OptionalLong.empty();
  }

  long freedSeconds() {
    return freedSeconds;
  }

  /** GPU seconds of what was freed for a pending workload, until that had run or ended. */
  long unitSeconds() {
    return unitSeconds;
  }

  /** GPU seconds of these for which it held them. */
  long usedByUnitSeconds() {
    return usedByUnitSeconds;
  }

  /** GPU seconds for which others held freed GPUs, by namespace. */
  Map<String, Long> usedSeconds() {
    return usedSeconds;
  }
}
