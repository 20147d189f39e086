package io.gpureclaimer.core.nvml;

import static io.gpureclaimer.core.nvml.binding.NvmlConstants.ALL_LINKS;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_CLOCK_MEM;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_CLOCK_SM;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_DEVICE_NAME_V2_BUFFER_SIZE;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_DEVICE_UUID_V2_BUFFER_SIZE;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_TEMPERATURE_GPU;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_VALUE_NOT_AVAILABLE;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_MEMORY_TEMP;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_COR;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_FAILURE;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_REMAPPED_UNC;
import static io.gpureclaimer.core.nvml.binding.NvmlFieldIds.NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.nvml.binding.LibNvml;
import io.gpureclaimer.core.nvml.binding.NvmlMemory;
import io.gpureclaimer.core.nvml.binding.NvmlMemoryV2;
import io.gpureclaimer.core.nvml.binding.NvmlUtilization;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import jnr.ffi.Struct;

/** Every question that we put to the driver. */
final class Questions {
  private static final int NO_SCOPE = 0;
  private static final long HOTTEST_CELSIUS = 200;
  private static final Fields MEMORY_TEMPERATURE_FIELD =
      new Fields(NO_SCOPE, NVML_FI_DEV_MEMORY_TEMP);
  private static final Fields ENERGY_FIELD =
      new Fields(NO_SCOPE, NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION);
  private static final Fields ROW_FIELDS =
      new Fields(
          NO_SCOPE,
          NVML_FI_DEV_REMAPPED_COR,
          NVML_FI_DEV_REMAPPED_UNC,
          NVML_FI_DEV_REMAPPED_FAILURE);
  private static final Fields NVLINK_FIELDS =
      new Fields(
          ALL_LINKS, NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX);

  static final Question<GpuUuid> UUID =
      new Question<>(
          "nvmlDeviceGetUUID",
          (lib, device, out) ->
              out.textCode(
                  lib.nvmlDeviceGetUUID(device, out.freshText(), NVML_DEVICE_UUID_V2_BUFFER_SIZE)),
          out -> new GpuUuid(out.text()));

  static final Question<String> NAME =
      new Question<>(
          "nvmlDeviceGetName",
          (lib, device, out) ->
              out.textCode(
                  lib.nvmlDeviceGetName(device, out.freshText(), NVML_DEVICE_NAME_V2_BUFFER_SIZE)),
          OutMemory::text);

  static final Question<Long> SM_CLOCK =
      new Question<>(
          "nvmlDeviceGetClockInfo",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final Question<Long> MEMORY_CLOCK =
      new Question<>(
          "nvmlDeviceGetClockInfo",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final Question<Long> GPU_TEMPERATURE =
      new Question<>(
          "nvmlDeviceGetTemperature",
          (lib, device, out) -> {
            int code = lib.nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, out.scalar(0));
            return ifPlausible(code, out.unsignedInt(0));
          },
          out -> out.unsignedInt(0));

  /** Whatever type the driver names, this field is an unsigned int. */
  static final Question<Long> MEMORY_TEMPERATURE =
      new Question<>(
          Fields.FUNCTION,
          (lib, device, out) -> {
            int code = MEMORY_TEMPERATURE_FIELD.ask(lib, device, out);
            return ifPlausible(code, out.field(0).value.uiVal.get());
          },
          out -> out.field(0).value.uiVal.get());

  static final Question<Long> POWER =
      new Question<>(
          "nvmlDeviceGetPowerUsage",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetPowerUsage(device, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final Alternatives<Long> ENERGY =
      new Alternatives<>(
          0,
          List.of(
              new Question<>(Fields.FUNCTION, ENERGY_FIELD::ask, out -> Fields.number(out, 0)),
              new Question<>(
                  "nvmlDeviceGetTotalEnergyConsumption",
                  (lib, device, out) ->
                      out.ifLongAvailable(
                          lib.nvmlDeviceGetTotalEnergyConsumption(device, out.scalar(0)), 0),
                  out -> out.longValue(0))),
          Alternatives::mayDifferElsewhere);

  static final Question<Long> PCIE_REPLAYS =
      new Question<>(
          "nvmlDeviceGetPcieReplayCounter",
          (lib, device, out) ->
              out.ifIntsAvailable(lib.nvmlDeviceGetPcieReplayCounter(device, out.scalar(0)), 0),
          out -> out.unsignedInt(0));

  static final Question<Utilization> UTILIZATION =
      new Question<>(
          "nvmlDeviceGetUtilizationRates",
          (lib, device, out) -> {
            int code = lib.nvmlDeviceGetUtilizationRates(device, out.utilization);
            return ifAvailable(code, out.utilization);
          },
          out ->
              new Utilization(out.utilization.gpu.intValue(), out.utilization.memory.intValue()));

  static final Question<Long> ENCODER_UTILIZATION =
      new Question<>(
          "nvmlDeviceGetEncoderUtilization",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetEncoderUtilization(device, out.scalar(0), out.scalar(1)), 0),
          out -> out.unsignedInt(0));

  static final Question<Long> DECODER_UTILIZATION =
      new Question<>(
          "nvmlDeviceGetDecoderUtilization",
          (lib, device, out) ->
              out.ifIntsAvailable(
                  lib.nvmlDeviceGetDecoderUtilization(device, out.scalar(0), out.scalar(1)), 0),
          out -> out.unsignedInt(0));

  static final Alternatives<Memory> MEMORY =
      new Alternatives<>(
          1,
          List.of(
              new Question<>(
                  "nvmlDeviceGetMemoryInfo_v2", Questions::askMemoryV2, Questions::memoryV2),
              new Question<>("nvmlDeviceGetMemoryInfo", Questions::askMemory, Questions::memory)),
          Alternatives::isNotImplemented);

  static final Alternatives<RemappedRows> REMAPPED_ROWS =
      new Alternatives<>(
          2,
          List.of(
              new Question<>(
                  Fields.FUNCTION,
                  ROW_FIELDS::ask,
                  out ->
                      new RemappedRows(
                          Fields.number(out, 0),
                          Fields.number(out, 1),
                          Fields.number(out, 2) != 0)),
              new Question<>(
                  "nvmlDeviceGetRemappedRows",
                  (lib, device, out) ->
                      out.ifIntsAvailable(
                          lib.nvmlDeviceGetRemappedRows(
                              device, out.scalar(0), out.scalar(1), out.scalar(2), out.scalar(3)),
                          0,
                          1,
                          3),
                  out ->
                      new RemappedRows(
                          out.unsignedInt(0), out.unsignedInt(1), out.unsignedInt(3) != 0))),
          Alternatives::mayDifferElsewhere);

  static final Question<Long> NVLINK_TRANSFERRED =
      new Question<>(
          Fields.FUNCTION,
          NVLINK_FIELDS::ask,
          out -> Fields.number(out, 0) + Fields.number(out, 1));

  static final Question<Boolean> VGPU_LICENSED =
      new Question<>(
          "nvmlDeviceGetGridLicensableFeatures_v4",
          (lib, device, out) -> lib.nvmlDeviceGetGridLicensableFeatures_v4(device, out.licenses),
          out -> Licenses.vgpuIsLicensed(out.licenses));

  /** A sensor that is not there reads as nonsense on some boards. */
  private static int ifPlausible(int code, long celsius) {
    return code == NVML_SUCCESS && celsius > HOTTEST_CELSIUS ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  /** A driver may say in the value, not in the code, that it has none. */
  private static int ifAvailable(int code, NvmlUtilization utilization) {
    boolean available =
        utilization.gpu.intValue() != NVML_VALUE_NOT_AVAILABLE
            && utilization.memory.intValue() != NVML_VALUE_NOT_AVAILABLE;
    return code == NVML_SUCCESS && !available ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  private static int askMemoryV2(LibNvml lib, long device, OutMemory out) {
    out.memoryV2.version.set(NvmlMemoryV2.structVersion(out.memoryV2));
    int code = lib.nvmlDeviceGetMemoryInfo_v2(device, out.memoryV2);
    return ifAvailable(code, out.memoryV2.total, out.memoryV2.free, out.memoryV2.used);
  }

  private static int askMemory(LibNvml lib, long device, OutMemory out) {
    int code = lib.nvmlDeviceGetMemoryInfo(device, out.memory);
    return ifAvailable(code, out.memory.total, out.memory.free, out.memory.used);
  }

  private static int ifAvailable(int code, Struct.Unsigned64... values) {
    boolean available =
        Arrays.stream(values).noneMatch(value -> value.get() == NVML_VALUE_NOT_AVAILABLE);
    return code == NVML_SUCCESS && !available ? NVML_ERROR_NOT_SUPPORTED : code;
  }

  private static Memory memoryV2(OutMemory out) {
    NvmlMemoryV2 memory = out.memoryV2;
    return new Memory(
        memory.total.get(),
        memory.reserved.get() == NVML_VALUE_NOT_AVAILABLE
            ? OptionalLong.empty()
            : OptionalLong.of(memory.reserved.get()),
        memory.free.get(),
        memory.used.get());
  }

  private static Memory memory(OutMemory out) {
    NvmlMemory memory = out.memory;
    return new Memory(
        memory.total.get(), OptionalLong.empty(), memory.free.get(), memory.used.get());
  }

  private Questions() {}
}
