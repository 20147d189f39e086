package io.gpureclaimer.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/**
 * The functions of {@code libnvidia-ml} about two GPUs, or what joins them; see {@link LibNvml}.
 */
public interface PeerFunctions {

  int nvmlDeviceGetP2PStatus(
      @uintptr_t long device1, @uintptr_t long device2, int p2pIndex, Pointer p2pStatus);

  int nvmlDeviceGetTopologyCommonAncestor(
      @uintptr_t long device1, @uintptr_t long device2, Pointer pathInfo);

  int nvmlDeviceGetNvLinkState(@uintptr_t long device, int link, Pointer isActive);

  int nvmlDeviceGetNvLinkRemoteDeviceType(@uintptr_t long device, int link, Pointer type);

  int nvmlDeviceGetNvLinkRemotePciInfo_v2(@uintptr_t long device, int link, NvmlPciInfo pci);
}
