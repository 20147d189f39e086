package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INSUFFICIENT_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_FOUND;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;

import io.gpureclaimer.nvml.binding.NvmlProcessInfo;
import io.gpureclaimer.nvml.binding.NvmlProcessUtilizationSample;
import io.gpureclaimer.simulator.ScriptedProcess.ProcessList;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** Answers about the processes on one simulated card at one moment. */
record SimulatedProcesses(GpuScript script, Instant now) {
  private static final long BYTES_PER_MIB = 1L << 20;

  int running(ProcessList kind, Pointer count, Pointer infos) {
    List<ScriptedProcess> some =
        script.processes().stream().filter(process -> process.kind() == kind).toList();
    return fill(some, count, infos, NvmlProcessInfo::new, SimulatedProcesses::write);
  }

  /** A sample a second for each that does anything. */
  int utilization(long lastSeenMicros, Pointer count, Pointer samples) {
    long second = ChronoUnit.MICROS.between(Instant.EPOCH, now.truncatedTo(ChronoUnit.SECONDS));
    List<ScriptedProcess> busy =
        second > lastSeenMicros
            ? script.processes().stream().filter(process -> process.smPercent() > 0).toList()
            : List.of();
    return busy.isEmpty()
        ? NVML_ERROR_NOT_FOUND
        : fill(
            busy,
            count,
            samples,
            NvmlProcessUtilizationSample::new,
            (process, sample) -> {
              sample.pid.set(process.pid());
              sample.timeStamp.set(second);
              sample.smUtil.set(process.smPercent());
              sample.memUtil.set(process.smPercent() / 2);
              sample.encUtil.set(0);
              sample.decUtil.set(0);
            });
  }

  static <T, S extends Struct> int fill(
      List<T> some,
      Pointer count,
      Pointer out,
      Function<Runtime, S> struct,
      BiConsumer<T, S> write) {
    int room = count.getInt(0);
    count.putInt(0, some.size());
    if (some.size() > room) {
      return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    S entry = struct.apply(count.getRuntime());
    int size = Struct.size(entry);
    for (int i = 0; i < some.size(); i++) {
      entry.useMemory(out.slice((long) i * size, size));
      write.accept(some.get(i), entry);
    }
    return NVML_SUCCESS;
  }

  private static void write(ScriptedProcess process, NvmlProcessInfo info) {
    info.pid.set(process.pid());
    info.usedGpuMemory.set(
        process.memoryMib().isPresent()
            ? process.memoryMib().getAsInt() * BYTES_PER_MIB
            : NVML_VALUE_NOT_AVAILABLE);
    info.gpuInstanceId.set(process.instance().orElse(NVML_VALUE_NOT_AVAILABLE));
    info.computeInstanceId.set(process.instance().isPresent() ? 0 : NVML_VALUE_NOT_AVAILABLE);
  }
}
