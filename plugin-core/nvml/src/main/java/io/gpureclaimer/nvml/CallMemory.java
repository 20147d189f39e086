package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NO_DATA;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;
import static jnr.ffi.Memory.allocateDirect;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlBar1Memory;
import io.gpureclaimer.nvml.binding.NvmlConfComputeSystemState;
import io.gpureclaimer.nvml.binding.NvmlDeviceAttributes;
import io.gpureclaimer.nvml.binding.NvmlEccSramErrorStatus;
import io.gpureclaimer.nvml.binding.NvmlEventData;
import io.gpureclaimer.nvml.binding.NvmlGpmSupport;
import io.gpureclaimer.nvml.binding.NvmlGpuFabricInfo;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeatures;
import io.gpureclaimer.nvml.binding.NvmlMarginTemperature;
import io.gpureclaimer.nvml.binding.NvmlMemory;
import io.gpureclaimer.nvml.binding.NvmlMemoryV2;
import io.gpureclaimer.nvml.binding.NvmlPciInfo;
import io.gpureclaimer.nvml.binding.NvmlPlatformInfo;
import io.gpureclaimer.nvml.binding.NvmlProcessInfo;
import io.gpureclaimer.nvml.binding.NvmlProcessUtilizationSample;
import io.gpureclaimer.nvml.binding.NvmlRowRemapperHistogramValues;
import io.gpureclaimer.nvml.binding.NvmlSample;
import io.gpureclaimer.nvml.binding.NvmlUtilization;
import java.nio.charset.StandardCharsets;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** The native memory into which the calls of one thread write; allocated once, freed by the GC. */
final class CallMemory {
  static final int TEXT_BYTES = 96;
  private static final int SCALARS = 4;

  final NvmlUtilization utilization;
  final NvmlMemory memory;
  final NvmlMemoryV2 memoryV2;
  final NvmlPciInfo pci;
  final NvmlGridLicensableFeatures licenses;
  final NvmlMarginTemperature margin;
  final NvmlEccSramErrorStatus sram;
  final NvmlRowRemapperHistogramValues remapper;
  final NvmlBar1Memory bar1;
  final NvmlConfComputeSystemState confidential;
  final NvmlGpuFabricInfo fabric;
  final NvmlPlatformInfo platform;
  private final NvmlGpmSupport gpmSupport;
  final NvmlDeviceAttributes attributes;
  final NvmlEventData event;
  final ListMemory list = new ListMemory();
  final NvmlSample sample;
  final NvmlProcessInfo process;
  final NvmlProcessUtilizationSample processUtilization;
  private final Pointer text;
  private final Pointer[] scalars = new Pointer[SCALARS];

  CallMemory() {
    Runtime runtime = Runtime.getSystemRuntime();
    utilization = direct(runtime, new NvmlUtilization(runtime));
    memory = direct(runtime, new NvmlMemory(runtime));
    memoryV2 = direct(runtime, new NvmlMemoryV2(runtime));
    pci = direct(runtime, new NvmlPciInfo(runtime));
    licenses = direct(runtime, new NvmlGridLicensableFeatures(runtime));
    margin = direct(runtime, new NvmlMarginTemperature(runtime));
    sram = direct(runtime, new NvmlEccSramErrorStatus(runtime));
    remapper = direct(runtime, new NvmlRowRemapperHistogramValues(runtime));
    bar1 = direct(runtime, new NvmlBar1Memory(runtime));
    confidential = direct(runtime, new NvmlConfComputeSystemState(runtime));
    fabric = direct(runtime, new NvmlGpuFabricInfo(runtime));
    platform = direct(runtime, new NvmlPlatformInfo(runtime));
    gpmSupport = direct(runtime, new NvmlGpmSupport(runtime));
    attributes = direct(runtime, new NvmlDeviceAttributes(runtime));
    event = direct(runtime, new NvmlEventData(runtime));
    sample = new NvmlSample(runtime);
    process = new NvmlProcessInfo(runtime);
    processUtilization = new NvmlProcessUtilizationSample(runtime);
    text = allocateDirect(runtime, TEXT_BYTES, true);
    Pointer slab = allocateDirect(runtime, SCALARS * Long.BYTES, true);
    for (int i = 0; i < SCALARS; i++) {
      scalars[i] = slab.slice((long) i * Long.BYTES, Long.BYTES);
    }
  }

  private static <S extends Struct> S direct(Runtime runtime, S struct) {
    struct.useMemory(allocateDirect(runtime, Struct.size(struct), true));
    return struct;
  }

  Pointer scalar(int slot) {
    return scalars[slot];
  }

  /** The memory for a number, zero: a call may write less of it than is read. */
  Pointer freshScalar(int slot) {
    scalars[slot].putLong(0, 0);
    return scalars[slot];
  }

  /** Success if the GPU can be watched. */
  int readGpmSupport(LibNvml lib, long device) {
    gpmSupport.version.set(NvmlGpmSupport.VERSION);
    gpmSupport.isSupportedDevice.set(0);
    int code = lib.nvmlGpmQueryDeviceSupport(device, gpmSupport);
    boolean supported = gpmSupport.isSupportedDevice.get() != 0;
    return code == NVML_SUCCESS && !supported ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  /** A driver may say in the value, not in the code, that it has none: all bits are then set. */
  int ifIntsAvailable(int code, int... slots) {
    for (int slot : slots) {
      if (code == NVML_SUCCESS && scalars[slot].getInt(0) == NVML_VALUE_NOT_AVAILABLE) {
        return NVML_ERROR_NOT_SUPPORTED;
      }
    }
    return code;
  }

  /** As {@link #ifIntsAvailable}, of 64 bits. */
  int ifLongAvailable(int code, int slot) {
    boolean available = scalars[slot].getLong(0) != NVML_VALUE_NOT_AVAILABLE;
    return code == NVML_SUCCESS && !available ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  long unsignedInt(int slot) {
    return Integer.toUnsignedLong(scalars[slot].getInt(0));
  }

  long longValue(int slot) {
    return scalars[slot].getLong(0);
  }

  long address(int slot) {
    return scalars[slot].getAddress(0);
  }

  /** The memory for a text, empty: what an earlier call left there must not be taken for it. */
  Pointer freshText() {
    text.putByte(0, (byte) 0);
    return text;
  }

  /** A text that was promised and is empty is no data. */
  int textCode(int code) {
    return code == NVML_SUCCESS && text.getByte(0) == 0 ? NVML_ERROR_NO_DATA : code;
  }

  String text() {
    return text.getString(0, TEXT_BYTES, StandardCharsets.UTF_8);
  }
}
