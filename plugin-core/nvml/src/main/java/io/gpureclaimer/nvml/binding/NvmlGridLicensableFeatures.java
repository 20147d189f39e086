package io.gpureclaimer.nvml.binding;

import jnr.ffi.Runtime;
import jnr.ffi.Struct;

/** {@code nvmlGridLicensableFeatures_t} of {@code nvml.h}. */
public final class NvmlGridLicensableFeatures extends Struct {
  public final Signed32 isGridLicenseSupported = new Signed32();
  public final Unsigned32 licensableFeaturesCount = new Unsigned32();
  public final NvmlGridLicensableFeature[] gridLicensableFeatures =
      array(new NvmlGridLicensableFeature[NvmlConstants.NVML_GRID_LICENSE_FEATURE_MAX_COUNT]);

  public NvmlGridLicensableFeatures(Runtime runtime) {
    super(runtime);
  }
}
