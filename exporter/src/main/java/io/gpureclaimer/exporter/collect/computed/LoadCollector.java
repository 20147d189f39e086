package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.exporter.sample.UtilizationSamples;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.SampleKind;
import io.gpureclaimer.nvml.UtilizationSample;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/**
 * Utilization of a GPU since the previous pass, from the samples of the driver. The driver keeps
 * them for a while, so nothing between two passes is missed; what lies before the first look is not
 * ours to count.
 */
public final class LoadCollector implements Collector {
  /**
   * When nothing new has come for so long the clock behind the time stamps may have been set back:
   * the samples are read from the start.
   */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(5);

  private final MonotonicClock monotonic;

  /** Concurrent because a turn that hung may end on its own thread while another GPU's runs. */
  private final ConcurrentMap<GpuUuid, LastSample> marks = new ConcurrentHashMap<>();

  /**
   * @param monotonic monotonic clock
   */
  public LoadCollector(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  /** Newest sample: its time by the driver's clock, and its receipt by ours. */
  private record LastSample(long newestMicros, long nanos, boolean quiet) {}

  @Override
  public String name() {
    return "load";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of();
  }

  @Override
  public boolean alwaysRuns() {
    return true;
  }

  /** Stays failed if the collector fails. */
  @Override
  public void collect(PolledGpu device, Readings into) {
    into.load(new UtilizationSamples.Failed("the collector failed"));
    var gpu = device.gpu().uuid();
    long now = monotonic.nanos();
    var mark = marks.get(gpu);
    boolean restarted =
        mark == null || (mark.quiet() && now - mark.nanos() >= LONGEST_QUIET.toNanos());
    long lastSeen = mark == null || restarted ? 0 : mark.newestMicros();
    var answer = device.nvml().samples(device.handle(), SampleKind.GPU, lastSeen);
    if (answer instanceof NvmlResult.Unsupported) {
      into.load(new UtilizationSamples.Unknown());
    }
    if (answer instanceof NvmlResult.Failed<?>(var reason, _, _)) {
      into.load(new UtilizationSamples.Failed(reason.text()));
    }
    into.take(
        answer,
        Set.of(),
        samples -> {
          var before = marks.get(gpu);
          marks.put(
              gpu,
              before == null || restarted || !samples.isEmpty()
                  ? new LastSample(newest(samples), now, false)
                  : new LastSample(before.newestMicros(), before.nanos(), true));
          into.load(restarted ? new UtilizationSamples.Unknown() : of(samples));
        });
  }

  private static long newest(List<UtilizationSample> samples) {
    return samples.isEmpty() ? 0 : samples.getLast().atMicros();
  }

  /** The samples stand at equal distances; some drivers return one of them twice. */
  private static UtilizationSamples of(List<UtilizationSample> samples) {
    var percents =
        samples.stream()
            .collect(
                Collectors.toMap(
                    UtilizationSample::atMicros, UtilizationSample::percent, Math::max))
            .values()
            .stream()
            .mapToInt(Integer::intValue)
            .summaryStatistics();
    return percents.getCount() == 0
        ? new UtilizationSamples.Unknown()
        : new UtilizationSamples.Measured(percents.getAverage(), percents.getMax());
  }
}
