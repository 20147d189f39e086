package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEC_UTILIZATION_SAMPLES;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ENC_UTILIZATION_SAMPLES;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_GPU_UTILIZATION_SAMPLES;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_MEMORY_UTILIZATION_SAMPLES;

/** Kinds of sample buffers of the driver. */
public enum SampleKind {
  /** Share of time during which at least one kernel ran. */
  GPU(NVML_GPU_UTILIZATION_SAMPLES),
  /** Share of time during which device memory was read or written. */
  MEMORY(NVML_MEMORY_UTILIZATION_SAMPLES),
  /** Share of the encoders' capacity. */
  ENCODER(NVML_ENC_UTILIZATION_SAMPLES),
  /** Share of the decoders' capacity. */
  DECODER(NVML_DEC_UTILIZATION_SAMPLES);

  private final int code;

  SampleKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
