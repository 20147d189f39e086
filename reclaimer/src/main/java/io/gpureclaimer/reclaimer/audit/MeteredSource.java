package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.util.Collection;
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
                "Duration of queries of the activity source, for all pods or for "
                    + "the recheck of one.")
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

  private Observation timed(String look, Supplier<Observation> question) {
    long start = monotonic.nanos();
    Observation observation = question.get();
    times.labels(look).observe((monotonic.nanos() - start) / NANOS_PER_SECOND);
    return observation;
  }
}
