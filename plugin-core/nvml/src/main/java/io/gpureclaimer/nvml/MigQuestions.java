package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_UUID_V2_BUFFER_SIZE;

import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.binding.NvmlDeviceAttributes;
import java.util.List;

/** Every question about MIG. */
final class MigQuestions {
  private static final long MIB_PER_GIB = 1024;

  static final Question<Integer> MODE =
      new Question<>(
          "nvmlDeviceGetMigMode",
          (lib, device, out) -> lib.nvmlDeviceGetMigMode(device, out.scalar(0), out.scalar(1)),
          out -> (int) out.unsignedInt(0));

  static final Question<Integer> MOST =
      new Question<>(
          "nvmlDeviceGetMaxMigDeviceCount",
          (lib, device, out) -> lib.nvmlDeviceGetMaxMigDeviceCount(device, out.scalar(0)),
          out -> Math.toIntExact(out.unsignedInt(0)));

  static final Question<Integer> GPU_INSTANCE =
      new Question<>(
          "nvmlDeviceGetGpuInstanceId",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetGpuInstanceId(device, out.scalar(0)), 0),
          out -> Math.toIntExact(out.unsignedInt(0)));

  static final Question<Integer> COMPUTE_INSTANCE =
      new Question<>(
          "nvmlDeviceGetComputeInstanceId",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetComputeInstanceId(device, out.scalar(0)), 0),
          out -> Math.toIntExact(out.unsignedInt(0)));

  static final Question<Long> PARENT =
      new Question<>(
          "nvmlDeviceGetDeviceHandleFromMigDeviceHandle",
          (lib, device, out) ->
              lib.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(device, out.scalar(0)),
          out -> out.address(0));

  static final List<Question<String>> PROFILE =
      List.of(
          new Question<>(
              "nvmlDeviceGetAttributes_v2",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes_v2(device, out.attributes),
              out -> profile(out.attributes)),
          new Question<>(
              "nvmlDeviceGetAttributes",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes(device, out.attributes),
              out -> profile(out.attributes)));

  static final List<Question<MigSize>> SIZE =
      List.of(
          new Question<>(
              "nvmlDeviceGetAttributes_v2",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes_v2(device, out.attributes),
              out -> size(out.attributes)),
          new Question<>(
              "nvmlDeviceGetAttributes",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes(device, out.attributes),
              out -> size(out.attributes)));

  static final Question<String> UUID =
      new Question<>(
          "nvmlDeviceGetUUID",
          (lib, device, out) ->
              out.textCode(
                  lib.nvmlDeviceGetUUID(device, out.freshText(), NVML_DEVICE_UUID_V2_BUFFER_SIZE)),
          OutMemory::text);

  /** The driver's handle of the MIG device with that index, where there is one. */
  static Question<Long> handle(int index) {
    return new Question<>(
        "nvmlDeviceGetMigDeviceHandleByIndex",
        (lib, device, out) -> lib.nvmlDeviceGetMigDeviceHandleByIndex(device, index, out.scalar(0)),
        out -> out.address(0));
  }

  /** By its memory, which may be a little less than the profile's name says. */
  private static String profile(NvmlDeviceAttributes attributes) {
    long gib = Math.ceilDiv(attributes.memorySizeMB.get(), MIB_PER_GIB);
    return attributes.gpuInstanceSliceCount.get() + "g." + gib + "gb";
  }

  private static MigSize size(NvmlDeviceAttributes attributes) {
    return new MigSize(
        attributes.memorySizeMB.get(),
        attributes.multiprocessorCount.intValue(),
        attributes.gpuInstanceSliceCount.intValue(),
        attributes.computeInstanceSliceCount.intValue(),
        attributes.sharedCopyEngineCount.intValue(),
        attributes.sharedDecoderCount.intValue(),
        attributes.sharedEncoderCount.intValue(),
        attributes.sharedJpegCount.intValue(),
        attributes.sharedOfaCount.intValue());
  }

  private MigQuestions() {}
}
