package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlGridLicensableFeature_t} of {@code nvml.h}. */
public final class NvmlGridLicensableFeature extends Struct {
  public final Signed32 featureCode = new Signed32();
  public final Unsigned32 featureState = new Unsigned32();
  public final String licenseInfo = new AsciiString(NvmlConstants.NVML_GRID_LICENSE_BUFFER_SIZE);
  public final String productName = new AsciiString(NvmlConstants.NVML_GRID_LICENSE_BUFFER_SIZE);
  public final Unsigned32 featureEnabled = new Unsigned32();
  public final NvmlGridLicenseExpiry licenseExpiry = inner(new NvmlGridLicenseExpiry(getRuntime()));

  public NvmlGridLicensableFeature(Runtime runtime) {
    super(runtime);
  }
}
