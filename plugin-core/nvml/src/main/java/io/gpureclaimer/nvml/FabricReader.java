package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_GPU_FABRIC_STATE_COMPLETED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlGpuFabricInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/** Reads the NVLink fabric state of a GPU, in the newest struct that the library supports. */
final class FabricReader {
  static final String FUNCTION = "nvmlDeviceGetGpuFabricInfoV";

  private static final String FIRST_FUNCTION = "nvmlDeviceGetGpuFabricInfo";
  private static final int SLOT = 6;

  /** In any version but the first. */
  static final NvmlQuery.DriverCall ANY = FabricReader::ask;

  /** In the first version, which had a function of its own. */
  static final NvmlQuery.DriverCall FIRST = FabricReader::readFirst;

  /** What is only said once the GPU has tried to join: in the first version. */
  static final NvmlQuery.DriverCall FIRST_JOINED_ONLY = FabricReader::readFirstJoined;

  /** What is only said once the GPU has tried to join. */
  static final NvmlQuery.DriverCall JOINED_ONLY = FabricReader::readJoined;

  /** What only the newest version has. */
  static final NvmlQuery.DriverCall NEWEST = FabricReader::readNewest;

  private static final String NO_CLUSTER = new UUID(0, 0).toString();
  private static final long JOINED = 3;
  private static final long FAILED = 4;
  private static final long SOMETHING_ELSE = 5;

  /** What the first version has, too. */
  static <T> FallbackCalls<T> ways(
      NvmlQuery.DriverCall call, NvmlQuery.DriverCall first, NvmlQuery.ResultReader<T> part) {
    return new FallbackCalls<>(
        SLOT,
        List.of(
            new NvmlQuery<>(FUNCTION, call, part), new NvmlQuery<>(FIRST_FUNCTION, first, part)),
        FallbackCalls::isNotImplemented);
  }

  private static int readFirst(LibNvml lib, long device, CallMemory out) {
    return lib.nvmlDeviceGetGpuFabricInfo(device, NvmlGpuFabricInfo.first(out.fabric));
  }

  private static int ask(LibNvml lib, long device, CallMemory out) {
    int code = readInVersion3(lib, device, out);
    if (!DeviceStructs.isAboutTheVersion(code)) {
      return code;
    }
    out.fabric.version.set(NvmlGpuFabricInfo.structVersion2(out.fabric));
    return lib.nvmlDeviceGetGpuFabricInfoV(device, out.fabric);
  }

  private static int readNewest(LibNvml lib, long device, CallMemory out) {
    int code = readInVersion3(lib, device, out);
    return DeviceStructs.isAboutTheVersion(code) ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  private static int readInVersion3(LibNvml lib, long device, CallMemory out) {
    out.fabric.version.set(NvmlGpuFabricInfo.structVersion3(out.fabric));
    return lib.nvmlDeviceGetGpuFabricInfoV(device, out.fabric);
  }

  private static int readJoined(LibNvml lib, long device, CallMemory out) {
    return ifJoined(ask(lib, device, out), out);
  }

  private static int readFirstJoined(LibNvml lib, long device, CallMemory out) {
    return ifJoined(readFirst(lib, device, out), out);
  }

  private static int ifJoined(int code, CallMemory out) {
    return code == NVML_SUCCESS && out.fabric.state.get() != NVML_GPU_FABRIC_STATE_COMPLETED
        ? NVML_ERROR_NOT_SUPPORTED
        : code;
  }

  /** As {@link #readJoined}; a cluster without a name is none. */
  static int readCluster(LibNvml lib, long device, CallMemory out) {
    return ifNamed(readJoined(lib, device, out), out);
  }

  /** The same in the first version. */
  static int readClusterFirst(LibNvml lib, long device, CallMemory out) {
    return ifNamed(readFirstJoined(lib, device, out), out);
  }

  private static int ifNamed(int code, CallMemory out) {
    return code == NVML_SUCCESS && cluster(out).equals(NO_CLUSTER)
        ? NVML_ERROR_NOT_SUPPORTED
        : code;
  }

  static long status(CallMemory out) {
    int state = out.fabric.state.get();
    if (state > NVML_GPU_FABRIC_STATE_COMPLETED) {
      return SOMETHING_ELSE;
    }
    if (state < NVML_GPU_FABRIC_STATE_COMPLETED) {
      return state;
    }
    return out.fabric.status.get() == NVML_SUCCESS ? JOINED : FAILED;
  }

  /** The cluster's UUID. */
  static String cluster(CallMemory out) {
    ByteBuffer bytes = ByteBuffer.allocate(NvmlGpuFabricInfo.UUID_BYTES);
    for (var part : out.fabric.clusterUuid) {
      bytes.put(part.byteValue());
    }
    bytes.flip();
    return new UUID(bytes.getLong(), bytes.getLong()).toString();
  }

  private FabricReader() {}
}
