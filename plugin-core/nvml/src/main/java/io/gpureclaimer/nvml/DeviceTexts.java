package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_SERIAL_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_INFOROM_ECC;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_INFOROM_OEM;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_INFOROM_POWER;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.util.Map;

/** The texts that a GPU can be asked for with {@link Nvml#text}, each with its source. */
public final class DeviceTexts {

  /** By {@code nvmlBrandType_t}; a number that is not here has no name. */
  private static final Map<Long, String> BRANDS =
      Map.ofEntries(
          Map.entry(1L, "Quadro"),
          Map.entry(2L, "Tesla"),
          Map.entry(3L, "NVS"),
          Map.entry(4L, "Grid"),
          Map.entry(5L, "GeForce"),
          Map.entry(6L, "Titan"),
          Map.entry(7L, "NVIDIA Virtual Applications"),
          Map.entry(8L, "NVIDIA Virtual PC"),
          Map.entry(9L, "NVIDIA Virtual Compute Server"),
          Map.entry(10L, "NVIDIA RTX Virtual Workstation"),
          Map.entry(11L, "NVIDIA Cloud Gaming"),
          Map.entry(12L, "Quadro RTX"),
          Map.entry(13L, "NVIDIA RTX"),
          Map.entry(14L, "NVIDIA"),
          Map.entry(15L, "GeForce RTX"),
          Map.entry(16L, "Titan RTX"));

  /** The name of the product line, such as {@code Tesla}: {@code nvmlDeviceGetBrand}. */
  public static final DeviceText BRAND =
      new DeviceText(
          new NvmlQuery<>(
              "nvmlDeviceGetBrand",
              (lib, device, out) -> {
                int code = lib.nvmlDeviceGetBrand(device, out.freshScalar(0));
                boolean known = BRANDS.containsKey(out.unsignedInt(0));
                return code == NVML_SUCCESS && !known ? NVML_ERROR_NOT_SUPPORTED : code;
              },
              out -> BRANDS.getOrDefault(out.unsignedInt(0), "")));

  /** The number printed on the board: {@code nvmlDeviceGetSerial}. */
  public static final DeviceText SERIAL =
      text(
          "nvmlDeviceGetSerial",
          (lib, device, out) ->
              lib.nvmlDeviceGetSerial(device, out.freshText(), NVML_DEVICE_SERIAL_BUFFER_SIZE));

  /** {@code nvmlDeviceGetInforomVersion}, OEM. */
  public static final DeviceText INFOROM_OEM_VERSION = inforom(NVML_INFOROM_OEM);

  /** {@code nvmlDeviceGetInforomVersion}, ECC. */
  public static final DeviceText INFOROM_ECC_VERSION = inforom(NVML_INFOROM_ECC);

  /** {@code nvmlDeviceGetInforomVersion}, power. */
  public static final DeviceText INFOROM_POWER_VERSION = inforom(NVML_INFOROM_POWER);

  /** {@code nvmlDeviceGetInforomImageVersion}. */
  public static final DeviceText INFOROM_IMAGE_VERSION =
      text(
          "nvmlDeviceGetInforomImageVersion",
          (lib, device, out) ->
              lib.nvmlDeviceGetInforomImageVersion(
                  device, out.freshText(), NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE));

  /** {@code nvmlDeviceGetVbiosVersion}. */
  public static final DeviceText VBIOS_VERSION =
      text(
          "nvmlDeviceGetVbiosVersion",
          (lib, device, out) ->
              lib.nvmlDeviceGetVbiosVersion(
                  device, out.freshText(), NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE));

  /**
   * UUID of the NVLink fabric that the GPU has joined: {@code nvmlDeviceGetGpuFabricInfoV}, or
   * {@code nvmlDeviceGetGpuFabricInfo}.
   */
  public static final DeviceText FABRIC_CLUSTER =
      new DeviceText(
          FabricReader.ways(
              FabricReader::readCluster, FabricReader::readClusterFirst, FabricReader::cluster));

  /**
   * GUID by which the InfiniBand of the platform knows the GPU, as {@code 0x} and 16 digits: {@code
   * nvmlDeviceGetPlatformInfo}, Blackwell and newer.
   */
  public static final DeviceText INFINIBAND_GUID =
      new DeviceText(new NvmlQuery<>(Platform.FUNCTION, Platform::readGuid, Platform::guid));

  /** Serial number of the chassis that the GPU sits in: as above. */
  public static final DeviceText CHASSIS_SERIAL =
      new DeviceText(new NvmlQuery<>(Platform.FUNCTION, Platform::readSerial, Platform::serial));

  private static DeviceText inforom(int object) {
    return text(
        "nvmlDeviceGetInforomVersion",
        (lib, device, out) ->
            lib.nvmlDeviceGetInforomVersion(
                device, object, out.freshText(), NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE));
  }

  /** A call that fills the text. */
  private interface TextGetter {
    int on(LibNvml lib, long device, CallMemory out);
  }

  private static DeviceText text(String function, TextGetter getter) {
    return new DeviceText(
        new NvmlQuery<>(
            function,
            (lib, device, out) -> out.textCode(getter.on(lib, device, out)),
            CallMemory::text));
  }

  private DeviceTexts() {}
}
