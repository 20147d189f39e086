package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE;

import java.util.List;

/** Queries about the driver itself; the newest call first. */
final class SessionQueries {

  static final List<NvmlQuery<Boolean>> INIT =
      List.of(
          new NvmlQuery<>("nvmlInit_v2", (lib, _, _) -> lib.nvmlInit_v2(), _ -> true),
          new NvmlQuery<>("nvmlInit", (lib, _, _) -> lib.nvmlInit(), _ -> true));

  static final List<NvmlQuery<Boolean>> SHUTDOWN =
      List.of(new NvmlQuery<>("nvmlShutdown", (lib, _, _) -> lib.nvmlShutdown(), _ -> true));

  static final List<NvmlQuery<String>> DRIVER_VERSION =
      List.of(
          new NvmlQuery<>(
              "nvmlSystemGetDriverVersion",
              (lib, _, out) ->
                  out.textCode(
                      lib.nvmlSystemGetDriverVersion(
                          out.freshText(), NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE)),
              CallMemory::text));

  static final List<NvmlQuery<String>> NVML_VERSION =
      List.of(
          new NvmlQuery<>(
              "nvmlSystemGetNVMLVersion",
              (lib, _, out) ->
                  out.textCode(
                      lib.nvmlSystemGetNVMLVersion(
                          out.freshText(), NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE)),
              CallMemory::text));

  static final List<NvmlQuery<Integer>> DEVICE_COUNT =
      List.of(
          new NvmlQuery<>(
              "nvmlDeviceGetCount_v2",
              (lib, _, out) -> lib.nvmlDeviceGetCount_v2(out.scalar(0)),
              out -> Math.toIntExact(out.unsignedInt(0))),
          new NvmlQuery<>(
              "nvmlDeviceGetCount",
              (lib, _, out) -> lib.nvmlDeviceGetCount(out.scalar(0)),
              out -> Math.toIntExact(out.unsignedInt(0))));

  /** 1000 × major + 10 × minor. */
  static final List<NvmlQuery<Integer>> CUDA_VERSION =
      List.of(
          new NvmlQuery<>(
              "nvmlSystemGetCudaDriverVersion_v2",
              (lib, _, out) -> lib.nvmlSystemGetCudaDriverVersion_v2(out.scalar(0)),
              out -> Math.toIntExact(out.unsignedInt(0))));

  /** The driver's handle of the GPU with that index. */
  static List<NvmlQuery<GpuHandle>> handle(int index) {
    return List.of(
        new NvmlQuery<>(
            "nvmlDeviceGetHandleByIndex_v2",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex_v2(index, out.scalar(0)),
            out -> new GpuHandle(index, out.address(0))),
        new NvmlQuery<>(
            "nvmlDeviceGetHandleByIndex",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex(index, out.scalar(0)),
            out -> new GpuHandle(index, out.address(0))));
  }

  /** The same, without memory of its own. */
  static List<NvmlQuery<Long>> device(int index) {
    return List.of(
        new NvmlQuery<>(
            "nvmlDeviceGetHandleByIndex_v2",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex_v2(index, out.scalar(0)),
            out -> out.address(0)),
        new NvmlQuery<>(
            "nvmlDeviceGetHandleByIndex",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex(index, out.scalar(0)),
            out -> out.address(0)));
  }

  private SessionQueries() {}
}
