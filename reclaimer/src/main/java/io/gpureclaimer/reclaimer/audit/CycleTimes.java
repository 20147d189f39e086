package io.gpureclaimer.reclaimer.audit;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Histogram;

/** How long cycles take. Confined to the thread of the cycle. */
final class CycleTimes {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Histogram.Child look;
  private final Histogram.Child act;
  private long lap = System.nanoTime();

  CycleTimes(CollectorRegistry registry) {
    Histogram times =
        Histogram.build("gpu_reclaimer_cycle_seconds", "How long the phases of a cycle take.")
            .labelNames("phase")
            .buckets(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
            .register(registry);
    look = times.labels("look");
    act = times.labels("act");
  }

  void begins() {
    lap = System.nanoTime();
  }

  void planned() {
    look.observe(lap());
  }

  void finished() {
    act.observe(lap());
  }

  private double lap() {
    long now = System.nanoTime();
    double seconds = (now - lap) / NANOS_PER_SECOND;
    lap = now;
    return seconds;
  }
}
