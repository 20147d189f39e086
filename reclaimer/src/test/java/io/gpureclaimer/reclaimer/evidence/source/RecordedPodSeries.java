package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A pod of the past, and what was recorded of it once a minute: by its agent, by an exporter that
 * knows pods by name only, and by the recording rules over that one's series.
 *
 * @param works when its GPUs worked
 * @param watched when the agent ran; the observation restarts after each gap
 */
public record RecordedPodSeries(
    String namespace,
    String name,
    String uid,
    int gpus,
    Instant from,
    Instant to,
    Predicate<Instant> works,
    Predicate<Instant> watched) {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Everything that was recorded of it. */
  public void into(Backfill past) {
    into(past, MINUTE);
  }

  /** The same with another time between two samples. */
  public void into(Backfill past, Duration every) {
    Optional<Instant> since = Optional.empty();
    Optional<Instant> active = Optional.empty();
    for (Instant at = from; !at.isAfter(to); at = at.plus(every)) {
      if (watched.test(at)) {
        since = Optional.of(since.orElse(at));
        active = works.test(at) ? Optional.of(at) : active;
        sample(since.get(), active, at, past);
      } else {
        since = Optional.empty();
        active = Optional.empty();
      }
    }
  }

  private void sample(Instant since, Optional<Instant> active, Instant at, Backfill past) {
    Map<String, String> labels =
        new HashMap<>(Map.of("namespace", namespace, "pod", name, "pod_uid", uid));
    past.add(LedgerMetrics.DEVICE_COUNT, labels, gpus, at);
    labels.put("container", "main");
    for (int gpu = 0; gpu < gpus; gpu++) {
      labels.put("UUID", "GPU-" + name + "-" + gpu);
      past.add(LedgerMetrics.OBSERVED_SINCE, labels, seconds(since), at);
      past.add(LedgerMetrics.OBSERVED_UNTIL, labels, seconds(at), at);
      past.add(LedgerMetrics.BUSY, labels, active.isPresent() ? 1 : 0, at);
      if (active.isPresent()) {
        past.add(LedgerMetrics.LAST_ACTIVE, labels, seconds(active.get()), at);
      }
      others(since, active, at, labels, past);
    }
  }

  private void others(
      Instant since,
      Optional<Instant> active,
      Instant at,
      Map<String, String> labels,
      Backfill past) {
    Map<String, String> byName = new HashMap<>(labels);
    byName.remove("pod_uid");
    past.add(DcgmField.DEV_GPU_UTIL.metricName(), byName, works.test(at) ? 95 : 0, at);
    byName.remove("container");
    past.add("gpu_reclaimer:device_sampled:timestamp_seconds", byName, seconds(at), at);
    past.add("gpu_reclaimer:device_observed_since:timestamp_seconds", byName, seconds(since), at);
    past.add(
        "gpu_reclaimer:device_last_active:timestamp_seconds",
        byName,
        seconds(active.orElse(since)),
        at);
  }

  private static double seconds(Instant at) {
    return (double) at.getEpochSecond();
  }
}
