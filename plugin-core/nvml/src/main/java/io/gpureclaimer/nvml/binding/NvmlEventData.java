package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/**
 * {@code nvmlEventData_t} of {@code nvml.h}; a device is a number, as everywhere in the binding.
 */
public final class NvmlEventData extends Struct {
  public final UnsignedLong device = new UnsignedLong();
  public final Unsigned64 eventType = new Unsigned64();
  public final Unsigned64 eventData = new Unsigned64();
  public final Unsigned32 gpuInstanceId = new Unsigned32();
  public final Unsigned32 computeInstanceId = new Unsigned32();

  public NvmlEventData(Runtime runtime) {
    super(runtime);
  }
}
