package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Union;

/** {@code nvmlValue_t} of {@code nvml.h}: its type says which member holds the value. */
public final class NvmlValue extends Union {
  public final Double dVal = new Double();
  public final Signed32 siVal = new Signed32();
  public final Unsigned32 uiVal = new Unsigned32();
  public final UnsignedLong ulVal = new UnsignedLong();
  public final Unsigned64 ullVal = new Unsigned64();
  public final Signed64 sllVal = new Signed64();

  public NvmlValue(Runtime runtime) {
    super(runtime);
  }
}
