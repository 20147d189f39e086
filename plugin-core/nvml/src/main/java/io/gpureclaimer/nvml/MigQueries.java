package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_UUID_V2_BUFFER_SIZE;

import io.gpureclaimer.common.device.MigSize;
import io.gpureclaimer.nvml.binding.NvmlDeviceAttributes;
import java.util.List;

/** Queries about MIG. */
final class MigQueries {
  private static final long MIB_PER_GIB = 1024;

  static final NvmlQuery<Integer> MODE =
      new NvmlQuery<>(
          "nvmlDeviceGetMigMode",
          (lib, device, out) -> lib.nvmlDeviceGetMigMode(device, out.scalar(0), out.scalar(1)),
          out -> (int) out.unsignedInt(0));

  static final NvmlQuery<Integer> MOST =
      new NvmlQuery<>(
          "nvmlDeviceGetMaxMigDeviceCount",
          (lib, device, out) -> lib.nvmlDeviceGetMaxMigDeviceCount(device, out.scalar(0)),
          out -> Math.toIntExact(out.unsignedInt(0)));

  static final NvmlQuery<Integer> GPU_INSTANCE =
      new NvmlQuery<>(
          "nvmlDeviceGetGpuInstanceId",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetGpuInstanceId(device, out.scalar(0)), 0),
          out -> Math.toIntExact(out.unsignedInt(0)));

  static final NvmlQuery<Integer> COMPUTE_INSTANCE =
      new NvmlQuery<>(
          "nvmlDeviceGetComputeInstanceId",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetComputeInstanceId(device, out.scalar(0)), 0),
          out -> Math.toIntExact(out.unsignedInt(0)));

  static final NvmlQuery<Long> PARENT =
      new NvmlQuery<>(
          "nvmlDeviceGetDeviceHandleFromMigDeviceHandle",
          (lib, device, out) ->
              lib.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(device, out.scalar(0)),
          out -> out.address(0));

  static final List<NvmlQuery<String>> PROFILE =
      List.of(
          new NvmlQuery<>(
              "nvmlDeviceGetAttributes_v2",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes_v2(device, out.attributes),
              out -> profile(out.attributes)),
          new NvmlQuery<>(
              "nvmlDeviceGetAttributes",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes(device, out.attributes),
              out -> profile(out.attributes)));

  static final List<NvmlQuery<MigSize>> SIZE =
      List.of(
          new NvmlQuery<>(
              "nvmlDeviceGetAttributes_v2",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes_v2(device, out.attributes),
              out -> size(out.attributes)),
          new NvmlQuery<>(
              "nvmlDeviceGetAttributes",
              (lib, device, out) -> lib.nvmlDeviceGetAttributes(device, out.attributes),
              out -> size(out.attributes)));

  static final NvmlQuery<String> UUID =
      new NvmlQuery<>(
          "nvmlDeviceGetUUID",
          (lib, device, out) ->
              out.textCode(
                  lib.nvmlDeviceGetUUID(device, out.freshText(), NVML_DEVICE_UUID_V2_BUFFER_SIZE)),
          CallMemory::text);

  /** The driver's handle of the MIG device with that index, where there is one. */
  static NvmlQuery<Long> handle(int index) {
    return new NvmlQuery<>(
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

  private MigQueries() {}
}
