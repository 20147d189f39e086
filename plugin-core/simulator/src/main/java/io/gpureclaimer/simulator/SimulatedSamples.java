package io.gpureclaimer.simulator;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_DEC_UTILIZATION_SAMPLES;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ENC_UTILIZATION_SAMPLES;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_FOUND;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_NOT_SUPPORTED;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_GPU_UTILIZATION_SAMPLES;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_MEMORY_UTILIZATION_SAMPLES;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_VALUE_TYPE_UNSIGNED_INT;

import io.gpureclaimer.nvml.binding.NvmlSample;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.LongStream;
import jnr.ffi.Pointer;
import jnr.ffi.Struct;

/** The sample buffers of one simulated card: six a second, the last hundred. */
record SimulatedSamples(SimulatedGpu gpu, GpuScript script, Instant now) {
  private static final long APART_MICROS = 166_667;
  private static final int KEPT = 100;

  int fill(int type, long lastSeenMicros, Pointer valueType, Pointer count, Pointer out) {
    if (type < NVML_GPU_UTILIZATION_SAMPLES || type > NVML_DEC_UTILIZATION_SAMPLES) {
      return NVML_ERROR_NOT_SUPPORTED;
    }
    long[] times = times(lastSeenMicros);
    if (times.length == 0) {
      return NVML_ERROR_NOT_FOUND;
    }
    int filled = Math.min(times.length, count.getInt(0));
    NvmlSample sample = new NvmlSample(count.getRuntime());
    int size = Struct.size(sample);
    for (int i = 0; i < filled; i++) {
      sample.useMemory(out.slice((long) i * size, size));
      sample.timeStamp.set(times[i]);
      sample.sampleValue.uiVal.set(percent(type, times[i]));
    }
    count.putInt(0, filled);
    valueType.putInt(0, NVML_VALUE_TYPE_UNSIGNED_INT);
    return NVML_SUCCESS;
  }

  private long[] times(long lastSeenMicros) {
    long newest = ChronoUnit.MICROS.between(Instant.EPOCH, now) / APART_MICROS;
    return LongStream.rangeClosed(newest - KEPT + 1, newest)
        .map(number -> number * APART_MICROS)
        .filter(time -> time > lastSeenMicros)
        .toArray();
  }

  private int percent(int type, long micros) {
    Instant at = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return switch (type) {
      case NVML_GPU_UTILIZATION_SAMPLES -> gpu.utilizationPercent(script, at);
      case NVML_MEMORY_UTILIZATION_SAMPLES -> gpu.memoryUtilizationPercent(script, at);
      case NVML_ENC_UTILIZATION_SAMPLES, NVML_DEC_UTILIZATION_SAMPLES -> 0;
      default -> throw new IllegalArgumentException("no kind of utilization: " + type);
    };
  }
}
