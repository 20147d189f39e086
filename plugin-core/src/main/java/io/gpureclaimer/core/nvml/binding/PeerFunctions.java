package io.gpureclaimer.core.nvml.binding;

import jnr.ffi.Pointer;
import jnr.ffi.types.uintptr_t;

/** The functions of {@code libnvidia-ml} about two GPUs at once; see {@link LibNvml}. */
public interface PeerFunctions {

  int nvmlDeviceGetP2PStatus(
      @uintptr_t long device1, @uintptr_t long device2, int p2pIndex, Pointer p2pStatus);
}
