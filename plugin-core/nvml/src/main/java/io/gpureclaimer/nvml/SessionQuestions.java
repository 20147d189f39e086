package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE;

import java.util.List;

/** Every question that we put to the driver about itself; the newest way of asking first. */
final class SessionQuestions {

  static final List<Question<Boolean>> INIT =
      List.of(
          new Question<>("nvmlInit_v2", (lib, _, _) -> lib.nvmlInit_v2(), _ -> true),
          new Question<>("nvmlInit", (lib, _, _) -> lib.nvmlInit(), _ -> true));

  static final List<Question<Boolean>> SHUTDOWN =
      List.of(new Question<>("nvmlShutdown", (lib, _, _) -> lib.nvmlShutdown(), _ -> true));

  static final List<Question<String>> DRIVER_VERSION =
      List.of(
          new Question<>(
              "nvmlSystemGetDriverVersion",
              (lib, _, out) ->
                  out.textCode(
                      lib.nvmlSystemGetDriverVersion(
                          out.freshText(), NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE)),
              OutMemory::text));

  static final List<Question<String>> NVML_VERSION =
      List.of(
          new Question<>(
              "nvmlSystemGetNVMLVersion",
              (lib, _, out) ->
                  out.textCode(
                      lib.nvmlSystemGetNVMLVersion(
                          out.freshText(), NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE)),
              OutMemory::text));

  static final List<Question<Integer>> DEVICE_COUNT =
      List.of(
          new Question<>(
              "nvmlDeviceGetCount_v2",
              (lib, _, out) -> lib.nvmlDeviceGetCount_v2(out.scalar(0)),
              out -> Math.toIntExact(out.unsignedInt(0))),
          new Question<>(
              "nvmlDeviceGetCount",
              (lib, _, out) -> lib.nvmlDeviceGetCount(out.scalar(0)),
              out -> Math.toIntExact(out.unsignedInt(0))));

  /** 1000 × major + 10 × minor. */
  static final List<Question<Integer>> CUDA_VERSION =
      List.of(
          new Question<>(
              "nvmlSystemGetCudaDriverVersion_v2",
              (lib, _, out) -> lib.nvmlSystemGetCudaDriverVersion_v2(out.scalar(0)),
              out -> Math.toIntExact(out.unsignedInt(0))));

  /** The driver's handle of the GPU with that index. */
  static List<Question<GpuHandle>> handle(int index) {
    return List.of(
        new Question<>(
            "nvmlDeviceGetHandleByIndex_v2",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex_v2(index, out.scalar(0)),
            out -> new GpuHandle(index, out.address(0))),
        new Question<>(
            "nvmlDeviceGetHandleByIndex",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex(index, out.scalar(0)),
            out -> new GpuHandle(index, out.address(0))));
  }

  /** The same, without memory of its own. */
  static List<Question<Long>> device(int index) {
    return List.of(
        new Question<>(
            "nvmlDeviceGetHandleByIndex_v2",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex_v2(index, out.scalar(0)),
            out -> out.address(0)),
        new Question<>(
            "nvmlDeviceGetHandleByIndex",
            (lib, _, out) -> lib.nvmlDeviceGetHandleByIndex(index, out.scalar(0)),
            out -> out.address(0)));
  }

  private SessionQuestions() {}
}
