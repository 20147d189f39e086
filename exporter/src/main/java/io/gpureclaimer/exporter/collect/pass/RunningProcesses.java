package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.collect.ListedProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses.ProcessUse;
import io.gpureclaimer.nvml.GpuProcess;
import io.gpureclaimer.nvml.ProcessUtilization;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Joins the driver's lists of processes on one GPU. */
final class RunningProcesses {
  private RunningProcesses() {}

  /**
   * The processes on a GPU, or on each of its instances.
   *
   * @param gpu the GPU
   * @param parts the instances into which MIG has divided it; none without
   * @param listed the processes that have it open; one may stand there several times, for it may
   *     compute and draw
   */
  static Map<Entity, DeviceProcesses> of(GpuUuid gpu, List<Entity> parts, ListedProcesses listed) {
    var byDevice = new LinkedHashMap<Entity, Map<Long, OptionalLong>>();
    byDevice.put(Entity.whole(gpu), new LinkedHashMap<>());
    parts.forEach(part -> byDevice.put(part, new LinkedHashMap<>()));
    for (GpuProcess process : listed.running()) {
      var device = new Entity(gpu, instanceOf(process));
      byDevice
          .computeIfAbsent(device, absent -> new LinkedHashMap<>())
          .merge(process.pid(), process.usedBytes(), RunningProcesses::larger);
    }
    var busy = listed.lately().map(RunningProcesses::byPid);
    var found = new LinkedHashMap<Entity, DeviceProcesses>();
    byDevice.forEach(
        (device, memory) -> {
          // Of an instance the driver does not say whose time a process had.
          var utilization =
              device.instanceId().isEmpty() ? busy : Optional.<Map<Long, Double>>empty();
          found.put(
              device, new DeviceProcesses(uses(memory, utilization), utilization.isPresent()));
        });
    return found;
  }

  private static List<ProcessUse> uses(
      Map<Long, OptionalLong> memory, Optional<Map<Long, Double>> busy) {
    return memory.entrySet().stream()
        .map(
            process ->
                new ProcessUse(
                    process.getKey(),
                    boxed(process.getValue()),
                    busy.map(all -> all.getOrDefault(process.getKey(), 0.0)).orElse(null)))
        .toList();
  }

  private static Map<Long, Double> byPid(List<ProcessUtilization> lately) {
    var busy = new HashMap<Long, Double>();
    lately.forEach(process -> busy.merge(process.pid(), (double) process.smPercent(), Math::max));
    return busy;
  }

  /** Two entries of one process are about the same memory. */
  private static OptionalLong larger(OptionalLong one, OptionalLong other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalLong.of(Math.max(one.getAsLong(), other.getAsLong()));
  }

  private static @Nullable Integer instanceOf(GpuProcess process) {
    return process.instance().isPresent() ? process.instance().getAsInt() : null;
  }

  private static @Nullable Long boxed(OptionalLong bytes) {
    return bytes.isPresent() ? bytes.getAsLong() : null;
  }
}
