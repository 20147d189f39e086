package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.NvmlConstants;

/** Error counters of an NVLink, up to its fourth generation. */
public enum LinkError {
  REPLAY(NvmlConstants.NVML_NVLINK_ERROR_DL_REPLAY),
  RECOVERY(NvmlConstants.NVML_NVLINK_ERROR_DL_RECOVERY),
  CRC_FLIT(NvmlConstants.NVML_NVLINK_ERROR_DL_CRC_FLIT),
  CRC_DATA(NvmlConstants.NVML_NVLINK_ERROR_DL_CRC_DATA);

  private final int code;

  LinkError(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
