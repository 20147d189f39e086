package io.gpureclaimer.nvml.binding;

import jnr.ffi.NativeType;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlGridLicenseExpiry_t} of {@code nvml.h}. */
public final class NvmlGridLicenseExpiry extends Struct {
  public final Unsigned32 year = new Unsigned32();
  public final Unsigned16 month = new Unsigned16();
  public final Unsigned16 day = new Unsigned16();
  public final Unsigned16 hour = new Unsigned16();
  public final Unsigned16 min = new Unsigned16();
  public final Unsigned16 sec = new Unsigned16();
  public final Unsigned8 status = new Unsigned8();

  /** C pads a struct to its alignment; jnr-ffi does not. */
  final Padding toAlignment = new Padding(NativeType.UCHAR, 1);

  public NvmlGridLicenseExpiry(Runtime runtime) {
    super(runtime);
  }
}
