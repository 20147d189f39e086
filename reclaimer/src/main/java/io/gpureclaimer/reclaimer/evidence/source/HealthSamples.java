package io.gpureclaimer.reclaimer.evidence.source;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How well the Prometheus is. Confined to one thread. */
final class HealthSamples {
  private static final String STARTED = "source_started";

  /** When it started; one that does not scrape itself does not tell. */
  static final String QUERY =
      Promql.kind(
          STARTED, "max(process_start_time_seconds and on (job, instance) prometheus_build_info)");

  private @Nullable Instant started;

  /** Takes from the answer what is about health. */
  void readFrom(Sorting sorting) {
    sorting.to(sample -> started = Instant.ofEpochSecond((long) sample.value()), STARTED);
  }

  Optional<Instant> health() {
    return Optional.ofNullable(started);
  }
}
