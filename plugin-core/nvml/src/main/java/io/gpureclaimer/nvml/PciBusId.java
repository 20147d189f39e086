package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlPciInfo;
import java.util.List;
import java.util.Locale;

/** Spells a GPU's place on the bus as {@code NVML_DEVICE_PCI_BUS_ID_FMT} does. */
final class PciBusId {
  private static final int DOMAIN_DIGITS = 8;
  private static final int DIGITS = 2;
  private static final int RADIX = 16;

  static final String FUNCTION = "nvmlDeviceGetPciInfo_v3";

  /** The newest call, which also reports what the device is. */
  static final NvmlQuery.DriverCall NEWEST = PciBusId::readV3;

  /** The newest of them first; older ones do not write {@code busId}. */
  static final FallbackCalls<String> WAYS =
      new FallbackCalls<>(
          2,
          List.of(
              new NvmlQuery<>(FUNCTION, NEWEST, out -> text(out.pci)),
              new NvmlQuery<>(
                  "nvmlDeviceGetPciInfo_v2",
                  (lib, device, out) -> lib.nvmlDeviceGetPciInfo_v2(device, out.pci),
                  out -> numeric(out.pci)),
              new NvmlQuery<>(
                  "nvmlDeviceGetPciInfo",
                  (lib, device, out) -> lib.nvmlDeviceGetPciInfo(device, out.pci),
                  out -> numeric(out.pci))),
          FallbackCalls::isNotImplemented);

  private static int readV3(LibNvml lib, long device, CallMemory out) {
    out.pci.busId.set("");
    return lib.nvmlDeviceGetPciInfo_v3(device, out.pci);
  }

  static String text(NvmlPciInfo pci) {
    String busId = pci.busId.get();
    return busId.isEmpty() ? numeric(pci) : busId.toUpperCase(Locale.ROOT);
  }

  private static String numeric(NvmlPciInfo pci) {
    return hex(pci.domain.get(), DOMAIN_DIGITS)
        + ':'
        + hex(pci.bus.get(), DIGITS)
        + ':'
        + hex(pci.device.get(), DIGITS)
        + ".0";
  }

  private static String hex(long number, int digits) {
    String text = Long.toString(number, RADIX).toUpperCase(Locale.ROOT);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  private PciBusId() {}
}
