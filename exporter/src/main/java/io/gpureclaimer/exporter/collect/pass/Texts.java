package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Catalogued;
import io.gpureclaimer.nvml.DeviceNumber;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.DeviceText;
import io.gpureclaimer.nvml.DeviceTexts;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Texts that describe a GPU. They do not change during a session, so they are read once for each
 * identified GPU; one that cannot be read then stays absent.
 */
public final class Texts {
  private static final Map<DcgmField, BiFunction<Nvml, GpuHandle, NvmlResult<String>>> QUESTIONS =
      Map.ofEntries(
          Map.entry(DcgmField.DRIVER_VERSION, (nvml, _) -> nvml.driverVersion()),
          Map.entry(DcgmField.NVML_VERSION, (nvml, _) -> nvml.nvmlVersion()),
          Map.entry(Catalogued.field("DEV_NAME"), Nvml::name),
          Map.entry(Catalogued.field("DEV_PCI_BUSID"), Nvml::pciBusId),
          Map.entry(
              Catalogued.field("DEV_UUID"), (nvml, gpu) -> nvml.uuid(gpu).map(GpuUuid::value)),
          text("DEV_BRAND", DeviceTexts.BRAND),
          text("DEV_SERIAL", DeviceTexts.SERIAL),
          text("DEV_OEM_INFOROM_VER", DeviceTexts.INFOROM_OEM_VERSION),
          text("DEV_ECC_INFOROM_VER", DeviceTexts.INFOROM_ECC_VERSION),
          text("DEV_POWER_INFOROM_VER", DeviceTexts.INFOROM_POWER_VERSION),
          text("DEV_INFOROM_IMAGE_VER", DeviceTexts.INFOROM_IMAGE_VERSION),
          text("DEV_VBIOS_VERSION", DeviceTexts.VBIOS_VERSION),
          text("DEV_FABRIC_CLUSTER_UUID", DeviceTexts.FABRIC_CLUSTER),
          text("DEV_PLATFORM_INFINIBAND_GUID", DeviceTexts.INFINIBAND_GUID),
          text("DEV_PLATFORM_CHASSIS_SERIAL_NUMBER", DeviceTexts.CHASSIS_SERIAL));

  /** Numbers that do not change either, for labels; as readings, collectors tell them. */
  private static final Map<DcgmField, BiFunction<Nvml, GpuHandle, NvmlResult<String>>> NUMBERS =
      Map.ofEntries(
          Map.entry(
              Catalogued.field("DEV_NVML_INDEX"),
              (_, gpu) -> new Value<>(Integer.toString(gpu.index()))),
          number("DEV_MINOR_NUMBER", DeviceNumbers.MINOR),
          number("CUDA_DRIVER_VERSION", DeviceNumbers.CUDA_DRIVER_VERSION),
          number("DEV_CUDA_COMPUTE_CAPABILITY", DeviceNumbers.CUDA_COMPUTE_CAPABILITY),
          number("DEV_PCI_COMBINED_ID", DeviceNumbers.PCI_COMBINED_ID),
          number("DEV_PCI_SUBSYS_ID", DeviceNumbers.PCI_SUBSYSTEM_ID),
          number("DEV_VIRTUAL_MODE", DeviceNumbers.VIRTUALIZATION_MODE),
          number("DEV_PLATFORM_CHASSIS_SLOT_NUMBER", DeviceNumbers.CHASSIS_SLOT),
          number("DEV_PLATFORM_TRAY_INDEX", DeviceNumbers.TRAY_INDEX),
          number("DEV_PLATFORM_HOST_ID", DeviceNumbers.HOST_ID),
          number("DEV_PLATFORM_PEER_TYPE", DeviceNumbers.PEER_TYPE),
          number("DEV_PLATFORM_MODULE_ID", DeviceNumbers.MODULE_ID));

  private Texts() {}

  private static Map.Entry<DcgmField, BiFunction<Nvml, GpuHandle, NvmlResult<String>>> text(
      String name, DeviceText text) {
    return Map.entry(Catalogued.field(name), (nvml, gpu) -> nvml.text(gpu, text));
  }

  private static Map.Entry<DcgmField, BiFunction<Nvml, GpuHandle, NvmlResult<String>>> number(
      String name, DeviceNumber number) {
    return Map.entry(
        Catalogued.field(name),
        (nvml, gpu) -> nvml.numbers(gpu, List.of(number)).getFirst().map(String::valueOf));
  }

  /** The fields that are words. */
  public static Set<DcgmField> tells() {
    return QUESTIONS.keySet();
  }

  /** The fields that are numbers, and can be told in words too. */
  public static Set<DcgmField> numbers() {
    return NUMBERS.keySet();
  }

  /** The wanted texts that the GPU reports. */
  static Map<DcgmField, String> of(PolledGpu gpu, Set<DcgmField> wanted) {
    var texts = new LinkedHashMap<DcgmField, String>();
    for (var questions : List.of(QUESTIONS, NUMBERS)) {
      questions.forEach(
          (field, question) -> {
            if (wanted.contains(field)
                && question.apply(gpu.nvml(), gpu.handle()) instanceof Value<String>(var text)) {
              texts.put(field, text);
            }
          });
    }
    return texts;
  }
}
