package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_GRID_LICENSE_FEATURE_CODE_VGPU;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeature;
import io.gpureclaimer.nvml.binding.NvmlGridLicensableFeatures;

/** Reads the license of the vGPU feature. */
final class Licenses {

  /** A system that does not support licenses has none: that is an answer. */
  static int ask(LibNvml lib, long device, OutMemory out) {
    int code = lib.nvmlDeviceGetGridLicensableFeatures_v4(device, out.licenses);
    if (code != NVML_ERROR_NOT_SUPPORTED) {
      return code;
    }
    out.licenses.isGridLicenseSupported.set(0);
    return NVML_SUCCESS;
  }

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
