package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Activity source with metrics of its calls and devices. */
public final class MeteredSource implements ActivitySource {
  private static final double NANOS_PER_SECOND = 1e9;

  private final ActivitySource source;
  private final MonotonicClock monotonic;
  private final Histogram times;
  private final Gauge devices;

  public MeteredSource(
      ActivitySource source, CollectorRegistry registry, MonotonicClock monotonic) {
    this.source = source;
    this.monotonic = monotonic;
    this.times =
        Histogram.build(
                "gpu_reclaimer_activity_query_seconds",
                "Duration of queries of the activity source: for all pods, for the recheck of one "
                    + "(again), or for the past days.")
            .labelNames("look")
            .buckets(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
            .register(registry);
    this.devices =
        Gauge.build(
                "gpu_reclaimer_observed_devices",
                "Allocated GPUs and MIG instances in the last answer.")
            .register(registry);
  }

  @Override
  public Observation fetchAll() {
    return counted(timed("all", source::fetchAll));
  }

  @Override
  public Observation fetchAll(Collection<PodIdentity> pods, Map<String, LeftOut> mayLeaveOut) {
    return counted(timed("all", () -> source.fetchAll(pods, mayLeaveOut)));
  }

  private Observation counted(Observation observation) {
    switch (observation) {
      case Observation.Blind _ -> {}
      case Observation.Seen seen ->
          devices.set(
              seen.pods().values().stream()
                  .map(PodActivity::devices)
                  .mapToInt(d -> d.size())
                  .sum());
    }
    return observation;
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    return timed("again", () -> source.fetchPod(pod));
  }

  @Override
  public PastActivity fetchPast(List<PodNamePattern> pods, TimeRange range) {
    return timed("past", () -> source.fetchPast(pods, range));
  }

  private <T> T timed(String look, Supplier<T> question) {
    long start = monotonic.nanos();
    T answer = question.get();
    times.labels(look).observe((monotonic.nanos() - start) / NANOS_PER_SECOND);
    return answer;
  }
}
