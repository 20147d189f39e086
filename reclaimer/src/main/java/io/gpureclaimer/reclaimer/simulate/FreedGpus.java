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
  private long freedSeconds;

  /** One GPU that a reclaimed workload gave back. */
  private static final class FreedGpu {
    private final long since;
    private Optional<SimulatedWorkload> user = Optional.empty();
    private OptionalLong usedSince = OptionalLong.empty();

    private FreedGpu(long since) {
      this.since = since;
    }
  }

  /** A pod of a reclaimed workload gave its GPUs back; one that was freed before counts once. */
  void free(SimulatedWorkload reclaimed, List<GpuUuid> devices, long now) {
    List<GpuUuid> added =
        devices.stream()
            .filter(device -> freed.putIfAbsent(device, new FreedGpu(now)) == null)
            .toList();
    if (!added.isEmpty()) {
      byWorkload.computeIfAbsent(reclaimed, _ -> new ArrayList<>()).addAll(added);
    }
  }

  /** A workload gets GPUs, of which some may be freed ones. */
  void take(SimulatedWorkload user, List<GpuUuid> devices, long now) {
    close(user, now);
    for (GpuUuid device : devices) {
      FreedGpu gpu = freed.get(device);
      if (gpu != null) {
        gpu.user = Optional.of(user);
        gpu.usedSince = OptionalLong.of(now);
      }
    }
  }

  /** A workload no longer holds its GPUs. */
  void release(List<GpuUuid> devices, long now) {
    for (GpuUuid device : devices) {
      FreedGpu gpu = freed.get(device);
      if (gpu != null) {
        settleUse(gpu, now);
      }
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

  /** GPU seconds for which others held freed GPUs, by namespace. */
  Map<String, Long> usedSeconds() {
    return usedSeconds;
  }
}
