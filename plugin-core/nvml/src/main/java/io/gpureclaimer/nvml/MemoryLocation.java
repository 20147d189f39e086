package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.NvmlConstants;

/** Location of a memory error on a GPU. */
public enum MemoryLocation {
  L1_CACHE(NvmlConstants.NVML_MEMORY_LOCATION_L1_CACHE),
  L2_CACHE(NvmlConstants.NVML_MEMORY_LOCATION_L2_CACHE),
  DEVICE_MEMORY(NvmlConstants.NVML_MEMORY_LOCATION_DEVICE_MEMORY),
  REGISTER_FILE(NvmlConstants.NVML_MEMORY_LOCATION_REGISTER_FILE),
  TEXTURE_MEMORY(NvmlConstants.NVML_MEMORY_LOCATION_TEXTURE_MEMORY),
  SHARED_MEMORY(NvmlConstants.NVML_MEMORY_LOCATION_TEXTURE_SHM),
  CBU(NvmlConstants.NVML_MEMORY_LOCATION_CBU),
  SRAM(NvmlConstants.NVML_MEMORY_LOCATION_SRAM);

  private final int code;

  MemoryLocation(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
