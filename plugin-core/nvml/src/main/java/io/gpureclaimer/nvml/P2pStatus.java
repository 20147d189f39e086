package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_DISABLED_BY_REGKEY;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_GPU_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_OK;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_P2P_STATUS_UNKNOWN;

import java.util.Arrays;

/** Whether one GPU can reach another's memory, and if not, why. */
public enum P2pStatus {
  OK(NVML_P2P_STATUS_OK, "OK"),
  CHIPSET_NOT_SUPPORTED(NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED, "ChipsetNotSupported"),
  GPU_NOT_SUPPORTED(NVML_P2P_STATUS_GPU_NOT_SUPPORTED, "GPUNotSupported"),
  TOPOLOGY_NOT_SUPPORTED(NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED, "TopologyNotSupported"),
  DISABLED_BY_REG_KEY(NVML_P2P_STATUS_DISABLED_BY_REGKEY, "DisabledByRegKey"),
  NOT_SUPPORTED(NVML_P2P_STATUS_NOT_SUPPORTED, "NotSupported"),
  UNKNOWN(NVML_P2P_STATUS_UNKNOWN, "Unknown");

  private final int code;
  private final String text;

  P2pStatus(int code, String text) {
    this.code = code;
    this.text = text;
  }

  static P2pStatus of(int code) {
    return Arrays.stream(values())
        .filter(status -> status.code == code)
        .findFirst()
        .orElse(UNKNOWN);
  }

  /** The number in {@code nvml.h}. */
  public int code() {
    return code;
  }

  /** As dcgm-exporter spells it. */
  public String text() {
    return text;
  }
}
