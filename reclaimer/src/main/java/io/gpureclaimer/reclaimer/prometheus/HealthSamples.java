package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.reclaimer.activity.SourceHealth;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How well the Prometheus and the agents are that it scrapes. Confined to one thread. */
final class HealthSamples {
  private static final String STARTED = "source_started";
  private static final String KNOWN = "agents_known";
  private static final String UP = "agents_up";

  private @Nullable Instant started;
  private OptionalInt known = OptionalInt.empty();
  private OptionalInt up = OptionalInt.empty();

  /**
   * The questions, one for each of these.
   *
   * @param names series that every agent has
   */
  static List<String> queries(List<String> names) {
    String series = Promql.select(names, "");
    // An agent that was there an hour ago and is scraped in vain now is one that should be heard.
    String theirs = " and on (job, instance) (" + series + " or " + series + " offset 1h)";
    return List.of(
        Promql.kind(
            STARTED,
            "max(process_start_time_seconds and on (job, instance) prometheus_build_info)"),
        Promql.kind(KNOWN, "count(up" + theirs + ")"),
        Promql.kind(UP, "count(up == 1" + theirs + ")"));
  }

  /** Takes from the answer what is about health. */
  void readFrom(Sorting sorting) {
    sorting
        .to(sample -> started = Instant.ofEpochSecond((long) sample.value()), STARTED)
        .to(sample -> known = OptionalInt.of((int) sample.value()), KNOWN)
        .to(sample -> up = OptionalInt.of((int) sample.value()), UP);
  }

  /** Of agents that are known and of which none is up, no count comes. */
  SourceHealth health() {
    OptionalInt reallyUp = known.isPresent() && up.isEmpty() ? OptionalInt.of(0) : up;
    return new SourceHealth(Optional.ofNullable(started), known, reallyUp);
  }
}
