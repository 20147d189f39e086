package io.gpureclaimer.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The NVIDIA devices on the PCI bus, as the kernel lists them, with a driver or without.
 *
 * @param readable whether the list could be read; without it nothing is known
 * @param gpus in the order of their addresses
 * @param switches how many NVSwitches there are
 */
record PciBus(boolean readable, List<PciGpu> gpus, int switches) {
  private static final String DEVICES = "/sys/bus/pci/devices";
  private static final String NVIDIA = "0x10de";
  private static final String DISPLAY = "0x03";
  private static final String BRIDGE = "0x0680";

  PciBus {
    gpus = List.copyOf(gpus);
  }

  /**
   * A GPU.
   *
   * @param address such as {@code 0000:19:00.0}
   * @param module the kernel module that has it; null for none
   */
  record PciGpu(String address, @Nullable String module) {
    private static final String PASSED_THROUGH = "vfio-pci";

    /** Whether it is kept for virtual machines. */
    boolean isPassedThrough() {
      return PASSED_THROUGH.equals(module);
    }
  }

  static PciBus read(NodeFiles files) {
    List<PciGpu> gpus = new ArrayList<>();
    int switches = 0;
    List<String> addresses = files.names(DEVICES);
    for (String address : addresses) {
      String device = DEVICES + '/' + address;
      if (!said(files, device + "/vendor").equals(NVIDIA)) {
        continue;
      }
      String deviceClass = said(files, device + "/class");
      if (deviceClass.startsWith(DISPLAY)) {
        gpus.add(new PciGpu(address, files.linked(device + "/driver").orElse(null)));
      } else if (deviceClass.startsWith(BRIDGE)) {
        switches++;
      }
    }
    return new PciBus(files.isFolder(DEVICES), gpus, switches);
  }

  /** Those that NVIDIA's driver should have. */
  List<PciGpu> forTheDriver() {
    return gpus.stream().filter(gpu -> !gpu.isPassedThrough()).toList();
  }

  private static String said(NodeFiles files, String file) {
    return files.text(file).orElse("").strip();
  }
}
