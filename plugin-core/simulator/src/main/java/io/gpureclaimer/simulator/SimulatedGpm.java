package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_INVALID_ARGUMENT;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import io.gpureclaimer.nvml.binding.GpmFunctions;
import io.gpureclaimer.nvml.binding.NvmlGpmMetrics;
import io.gpureclaimer.nvml.binding.NvmlGpmSupport;
import java.util.OptionalDouble;
import java.util.OptionalInt;
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
    return reading(
        device,
        (gpu, script, now) -> {
          if (!Board.of(gpu.model()).measures()) {
            return NVML_ERROR_NOT_SUPPORTED;
          }
          return samples()
                  .fill(sample, gpu, OptionalInt.empty(), gpu.utilizationPercent(script, now))
              ? NVML_SUCCESS
              : NVML_ERROR_INVALID_ARGUMENT;
        });
  }

  @Override
  default int nvmlGpmMigSampleGet(long device, int gpuInstanceId, long sample) {
    return reading(
        device,
        (gpu, script, now) -> {
          if (!Board.of(gpu.model()).measures()) {
            return NVML_ERROR_NOT_SUPPORTED;
          }
          var parts = new SimulatedInstances(gpu, script);
          return parts.has(gpuInstanceId)
                  && samples()
                      .fill(
                          sample,
                          gpu,
                          OptionalInt.of(gpuInstanceId),
                          parts.loadPercent(gpuInstanceId, now))
              ? NVML_SUCCESS
              : NVML_ERROR_INVALID_ARGUMENT;
        });
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
