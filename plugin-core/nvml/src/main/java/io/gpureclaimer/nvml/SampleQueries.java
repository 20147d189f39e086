package io.gpureclaimer.nvml;

import io.gpureclaimer.nvml.binding.NvmlSample;
import java.util.Comparator;
import java.util.List;

/** Queries about sample buffers. */
final class SampleQueries {
  private static final int MOST_PERCENT = 100;

  static NvmlQuery<List<UtilizationSample>> samples(SampleKind kind, long lastSeenMicros) {
    return new NvmlQuery<>(
        "nvmlDeviceGetSamples",
        (lib, device, out) ->
            out.list.ask(
                out.sample,
                (count, samples) ->
                    lib.nvmlDeviceGetSamples(
                        device, kind.code(), lastSeenMicros, out.scalar(0), count, samples)),
        out ->
            out.list.read(out.sample, SampleQueries::sample).stream()
                .filter(sample -> sample.atMicros() > lastSeenMicros)
                .filter(sample -> sample.percent() >= 0 && sample.percent() <= MOST_PERCENT)
                .sorted(Comparator.comparingLong(UtilizationSample::atMicros))
                .toList());
  }

  /** Of every kind of utilization the type is unsigned int, whatever the driver says it is. */
  private static UtilizationSample sample(NvmlSample sample) {
    return new UtilizationSample(sample.timeStamp.get(), sample.sampleValue.uiVal.intValue());
  }

  private SampleQueries() {}
}
