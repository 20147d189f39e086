package io.gpureclaimer.core.nvml;

import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_GRID_LICENSE_FEATURE_CODE_VGPU;

import io.gpureclaimer.core.nvml.binding.NvmlGridLicensableFeature;
import io.gpureclaimer.core.nvml.binding.NvmlGridLicensableFeatures;

/** Reads the license of the vGPU feature. */
final class Licenses {

  /** False also where the system knows no vGPU licenses at all, as DCGM has it. */
  static boolean vgpuIsLicensed(NvmlGridLicensableFeatures features) {
    NvmlGridLicensableFeature[] entries = features.gridLicensableFeatures;
    long count = Math.min(features.licensableFeaturesCount.get(), entries.length);
    if (features.isGridLicenseSupported.get() == 0) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (entries[i].featureCode.get() == NVML_GRID_LICENSE_FEATURE_CODE_VGPU
          && entries[i].featureState.get() != 0) {
        return true;
      }
    }
    return false;
  }

  private Licenses() {}
}
