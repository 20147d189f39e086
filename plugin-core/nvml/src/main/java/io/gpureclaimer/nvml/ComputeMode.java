package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_COMPUTEMODE_DEFAULT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_COMPUTEMODE_PROHIBITED;

import java.util.Arrays;
import java.util.Optional;

/** Compute mode of a GPU. */
public enum ComputeMode {
  /** Any number of processes. */
  DEFAULT(NVML_COMPUTEMODE_DEFAULT),
  /** None. */
  PROHIBITED(NVML_COMPUTEMODE_PROHIBITED),
  /** One; with MPS that is the one that serves the others. */
  EXCLUSIVE_PROCESS(NVML_COMPUTEMODE_EXCLUSIVE_PROCESS);

  private final int code;

  ComputeMode(int code) {
    this.code = code;
  }

  /** NVML's number of it, as {@link DeviceNumbers#COMPUTE_MODE} reports it. */
  public int code() {
    return code;
  }

  /** Empty for a number that is not in NVML's list, or that drivers no longer have. */
  public static Optional<ComputeMode> of(long code) {
    return Arrays.stream(values()).filter(mode -> mode.code == code).findFirst();
  }
}
