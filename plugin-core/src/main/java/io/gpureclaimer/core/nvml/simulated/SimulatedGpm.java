package io.gpureclaimer.core.nvml.simulated;

import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_NOT_FOUND;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.core.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.core.nvml.binding.GpmFunctions;
import io.gpureclaimer.core.nvml.binding.NvmlGpmMetrics;
import io.gpureclaimer.core.nvml.binding.NvmlGpmSupport;
import java.time.Instant;
import java.util.OptionalDouble;
import jnr.ffi.Pointer;

/** The part of the simulated driver that measures a card between two samples. */
interface SimulatedGpm extends GpmFunctions, SimulatedReader {

  /** The samples that are open. */
  SimulatedGpmSamples samples();

  @Override
  default int nvmlGpmQueryDeviceSupport(long device, NvmlGpmSupport support) {
    return reading(
        device,
        (gpu, _, _) -> {
          if (support.version.get() != NvmlGpmSupport.VERSION) {
            return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
          }
          support.isSupportedDevice.set(Board.of(gpu.model()).measures() ? 1 : 0);
          return NVML_SUCCESS;
        });
  }

  @Override
  default int nvmlGpmSampleAlloc(Pointer sample) {
    return inSession(
        () -> {
          sample.putAddress(0, samples().open());
          return NVML_SUCCESS;
        });
  }

  @Override
  default int nvmlGpmSampleFree(long sample) {
    return inSession(() -> samples().close(sample) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT);
  }

  @Override
  default int nvmlGpmSampleGet(long device, long sample) {
    return reading(device, (gpu, script, now) -> take(sample, gpu, script, now));
  }

  /** Each part is as busy as its card. */
  @Override
  default int nvmlGpmMigSampleGet(long device, int gpuInstanceId, long sample) {
    return reading(
        device,
        (gpu, script, now) ->
            gpu.layout(script).numbered().stream().anyMatch(part -> part.id() == gpuInstanceId)
                ? take(sample, gpu, script, now)
                : NVML_ERROR_NOT_FOUND);
  }

  private int take(long sample, SimulatedGpu gpu, GpuScript script, Instant now) {
    if (!Board.of(gpu.model()).measures()) {
      return NVML_ERROR_NOT_SUPPORTED;
    }
    return samples().fill(sample, gpu, gpu.utilizationPercent(script, now))
        ? NVML_SUCCESS
        : NVML_ERROR_INVALID_ARGUMENT;
  }

  @Override
  default int nvmlGpmMetricsGet(Pointer memory) {
    return inSession(() -> measure(new NvmlGpmMetrics(memory)));
  }

  private int measure(NvmlGpmMetrics metrics) {
    if (metrics.version() != NvmlGpmMetrics.VERSION) {
      return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    }
    var between = samples().between(metrics.sample1(), metrics.sample2());
    if (between.isEmpty()) {
      return NVML_ERROR_INVALID_ARGUMENT;
    }
    for (int entry = 0; entry < metrics.count(); entry++) {
      OptionalDouble value = between.orElseThrow().value(metrics.metricId(entry));
      metrics.answer(
          entry,
          value.isPresent() ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED,
          value.orElse(Double.NaN));
    }
    return NVML_SUCCESS;
  }
}
