package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlProcessInfo;
import io.gpureclaimer.nvml.binding.NvmlProcessUtilizationSample;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import jnr.ffi.Pointer;
import jnr.ffi.Struct;

/** Queries about processes. */
final class ProcessQueries {
  private static final int MOST_PERCENT = 100;

  private static final int COMPUTE_SLOT = 3;
  private static final int MPS_SLOT = 4;
  private static final int GRAPHICS_SLOT = 5;

  static final List<FallbackCalls<List<GpuProcess>>> RUNNING =
      List.of(
          running(
              COMPUTE_SLOT,
              running(
                  "nvmlDeviceGetComputeRunningProcesses_v2",
                  LibNvml::nvmlDeviceGetComputeRunningProcesses_v2),
              running(
                  "nvmlDeviceGetComputeRunningProcesses_v3",
                  LibNvml::nvmlDeviceGetComputeRunningProcesses_v3)),
          running(
              MPS_SLOT,
              running(
                  "nvmlDeviceGetMPSComputeRunningProcesses_v2",
                  LibNvml::nvmlDeviceGetMPSComputeRunningProcesses_v2),
              running(
                  "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                  LibNvml::nvmlDeviceGetMPSComputeRunningProcesses_v3)),
          running(
              GRAPHICS_SLOT,
              running(
                  "nvmlDeviceGetGraphicsRunningProcesses_v2",
                  LibNvml::nvmlDeviceGetGraphicsRunningProcesses_v2),
              running(
                  "nvmlDeviceGetGraphicsRunningProcesses_v3",
                  LibNvml::nvmlDeviceGetGraphicsRunningProcesses_v3)));

  /** One of the functions that list processes. */
  private interface Function {
    int on(LibNvml lib, long device, Pointer count, Pointer infos);
  }

  static NvmlQuery<List<ProcessUtilization>> utilization(long lastSeenMicros) {
    return new NvmlQuery<>(
        "nvmlDeviceGetProcessUtilization",
        (lib, device, out) ->
            out.list.ask(
                out.processUtilization,
                (count, samples) ->
                    lib.nvmlDeviceGetProcessUtilization(device, samples, count, lastSeenMicros)),
        out ->
            out.list.read(out.processUtilization, ProcessQueries::busy).stream()
                .filter(process -> process.pid() != 0)
                .toList());
  }

  private static FallbackCalls<List<GpuProcess>> running(
      int slot, NvmlQuery<List<GpuProcess>> older, NvmlQuery<List<GpuProcess>> newer) {
    return new FallbackCalls<>(slot, List.of(older, newer), FallbackCalls::isNotAnswered);
  }

  private static NvmlQuery<List<GpuProcess>> running(String name, Function function) {
    return new NvmlQuery<>(
        name,
        (lib, device, out) ->
            out.list.ask(out.process, (count, infos) -> function.on(lib, device, count, infos)),
        out -> out.list.read(out.process, ProcessQueries::process));
  }

  private static GpuProcess process(NvmlProcessInfo info) {
    long used = info.usedGpuMemory.get();
    int instance = info.gpuInstanceId.intValue();
    return new GpuProcess(
        info.pid.get(),
        used == NVML_VALUE_NOT_AVAILABLE ? OptionalLong.empty() : OptionalLong.of(used),
        instance == NVML_VALUE_NOT_AVAILABLE ? OptionalInt.empty() : OptionalInt.of(instance));
  }

  private static ProcessUtilization busy(NvmlProcessUtilizationSample sample) {
    return new ProcessUtilization(
        sample.pid.get(),
        sample.timeStamp.get(),
        percent(sample.smUtil),
        percent(sample.memUtil),
        percent(sample.encUtil),
        percent(sample.decUtil));
  }

  /** Some drivers round up to a little more than all. */
  private static int percent(Struct.Unsigned32 value) {
    return (int) Math.min(value.get(), MOST_PERCENT);
  }

  private ProcessQueries() {}
}
