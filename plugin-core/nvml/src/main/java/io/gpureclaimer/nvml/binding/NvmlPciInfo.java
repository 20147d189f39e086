package io.gpureclaimer.nvml.binding;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/**
 * {@code nvmlPciInfo_t} of {@code nvml.h}. {@code nvmlDeviceGetPciInfo_v2} and older keep private
 * words where {@code busId} lies.
 */
public final class NvmlPciInfo extends Struct {
  public final String busIdLegacy = new AsciiString(NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE);
  public final Unsigned32 domain = new Unsigned32();
  public final Unsigned32 bus = new Unsigned32();
  public final Unsigned32 device = new Unsigned32();
  public final Unsigned32 pciDeviceId = new Unsigned32();
  public final Unsigned32 pciSubSystemId = new Unsigned32();
  public final String busId = new AsciiString(NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE);

  public NvmlPciInfo(Runtime runtime) {
    super(runtime);
  }
}
