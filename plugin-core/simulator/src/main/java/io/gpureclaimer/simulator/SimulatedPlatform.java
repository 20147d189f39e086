package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.NvmlPciInfo;
import io.gpureclaimer.nvml.binding.NvmlPlatformInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import jnr.ffi.Struct;

/** What a simulated card is to PCI, and where in its chassis it sits. */
final class SimulatedPlatform {
  private static final int VENDOR = 0x10DE;
  private static final int DEVICE_SHIFT = 16;
  private static final String SERIAL = "1820124000017";
  private static final int SLOT = 3;
  private static final int TRAY = 2;
  private static final int SWITCHED = 1;
  private static final int HEX = 16;
  private static final int UUID_BEGINS = "GPU-".length();
  private static final int UUID_HALF = "GPU-00000000-0000-0000".length();

  static void putIds(NvmlPciInfo pci, Board board) {
    pci.pciDeviceId.set(combined(board.pciDevice()));
    pci.pciSubSystemId.set(combined(board.pciSubsystem()));
  }

  private static long combined(int id) {
    return (long) id << DEVICE_SHIFT | VENDOR;
  }

  /** Reported by the newest of these models; of real boards, by Blackwell and newer. */
  static int put(NvmlPlatformInfo info, SimulatedGpu gpu) {
    if (info.version.get() != NvmlPlatformInfo.structVersion(info)) {
      return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    }
    if (!Board.of(gpu.model()).measures()) {
      return NVML_ERROR_NOT_SUPPORTED;
    }
    putBytes(info.ibGuid, ByteBuffer.allocate(Long.BYTES).putLong(guid(gpu)).array());
    putBytes(info.chassisSerialNumber, SERIAL.getBytes(StandardCharsets.US_ASCII));
    info.slotNumber.set(SLOT);
    info.trayIndex.set(TRAY);
    info.hostId.set(1);
    info.peerType.set(SWITCHED);
    info.moduleId.set(gpu.index() + 1);
    return NVML_SUCCESS;
  }

  /** No two cards have the same: half of the UUID. */
  private static long guid(SimulatedGpu gpu) {
    String half = gpu.uuid().substring(UUID_BEGINS, UUID_HALF).replace("-", "");
    return Long.parseUnsignedLong(half, HEX);
  }

  private static void putBytes(Struct.Unsigned8[] to, byte[] bytes) {
    for (int i = 0; i < to.length; i++) {
      to[i].set(i < bytes.length ? bytes[i] : 0);
    }
  }

  private SimulatedPlatform() {}
}
