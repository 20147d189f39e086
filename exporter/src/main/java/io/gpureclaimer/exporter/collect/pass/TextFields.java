package io.gpureclaimer.exporter.collect.pass;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.nvml.DeviceNumber;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.DeviceText;
import io.gpureclaimer.nvml.DeviceTexts;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Text fields of a GPU. They do not change during a session, so they are read once for each
 * identified GPU; one that cannot be read then stays absent.
 */
public final class TextFields {
  private static final Map<DcgmField, Function<PolledGpu, NvmlResult<String>>> TEXTS =
      Map.ofEntries(
          Map.entry(DcgmField.DRIVER_VERSION, gpu -> gpu.nvml().driverVersion()),
          Map.entry(DcgmField.NVML_VERSION, gpu -> gpu.nvml().nvmlVersion()),
          Map.entry(DcgmFields.field("DEV_NAME"), gpu -> known(gpu.gpu().modelName())),
          Map.entry(DcgmFields.field("DEV_PCI_BUSID"), gpu -> known(gpu.gpu().pciBusId())),
          Map.entry(DcgmFields.field("DEV_UUID"), gpu -> known(gpu.gpu().uuid().value())),
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

  /** Numbers that do not change either, for labels; as readings they belong to collectors. */
  private static final Map<DcgmField, Function<PolledGpu, NvmlResult<String>>> NUMBERS =
      Map.ofEntries(
          Map.entry(
              DcgmFields.field("DEV_NVML_INDEX"),
              gpu -> known(Integer.toString(gpu.handle().index()))),
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

  private TextFields() {}

  private static Map.Entry<DcgmField, Function<PolledGpu, NvmlResult<String>>> text(
      String name, DeviceText text) {
    return Map.entry(DcgmFields.field(name), gpu -> gpu.nvml().text(gpu.handle(), text));
  }

  private static Map.Entry<DcgmField, Function<PolledGpu, NvmlResult<String>>> number(
      String name, DeviceNumber number) {
    return Map.entry(
        DcgmFields.field(name),
        gpu -> gpu.nvml().numbers(gpu.handle(), List.of(number)).getFirst().map(String::valueOf));
  }

  private static NvmlResult<String> known(@Nullable String text) {
    return text == null ? new Unsupported<>() : new Value<>(text);
  }

  /** Fields that are texts. */
  public static Set<DcgmField> texts() {
    return TEXTS.keySet();
  }

  /** Fields that are numbers, and can be labels too. */
  public static Set<DcgmField> numbers() {
    return NUMBERS.keySet();
  }

  /** The wanted texts that the GPU reports. */
  static Map<DcgmField, String> read(PolledGpu gpu, Set<DcgmField> wanted) {
    var texts = new LinkedHashMap<DcgmField, String>();
    for (var queries : List.of(TEXTS, NUMBERS)) {
      queries.forEach(
          (field, query) -> {
            if (wanted.contains(field) && query.apply(gpu) instanceof Value<String>(var text)) {
              texts.put(field, text);
            }
          });
    }
    return texts;
  }
}
