package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.reclaimer.client.Excerpt;
import io.gpureclaimer.reclaimer.evidence.ActivityClock;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.Label;
import io.gpureclaimer.reclaimer.evidence.Mark;
import io.gpureclaimer.reclaimer.evidence.PodKey;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import io.gpureclaimer.reclaimer.evidence.source.Clocks.Held;
import io.gpureclaimer.reclaimer.evidence.source.Clocks.Reading;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;

/** What each sample of an exporter's series means. Confined to the thread of the answer. */
final class SeriesSamples {
  static final String ACTIVITY = "activity";

  /** From this activity on a GPU works, in percent. */
  private static final double WORKS = 1;

  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final PodLabels labels;
  private final Gathering gathering;
  private final Map<Held, Double> activity = new HashMap<>();
  private final Map<Held, Instant> sampledAt = new HashMap<>();

  SeriesSamples(PodLabels labels, Gathering gathering) {
    this.labels = labels;
    this.gathering = gathering;
  }

  /** Takes the highest activity of a device, in percent. */
  void activity(VectorSample sample) {
    held(sample)
        .ifPresent(
            held -> {
              boolean possible = sample.value() >= 0 && Double.isFinite(sample.value());
              activity.merge(held, possible ? sample.value() : Double.NaN, Math::max);
            });
  }

  /** Takes when its newest sample was taken. */
  void sampled(VectorSample sample) {
    Instant at = Instant.ofEpochMilli(Math.round(sample.value() * MILLIS_PER_SECOND));
    held(sample).ifPresent(held -> sampledAt.merge(held, at, SeriesSamples::older));
  }

  /**
   * What is known of a device by both. Activity alone is that of a pod that has gone meanwhile;
   * what could not be true is left out.
   */
  Map<Held, Reading> readings() {
    Map<Held, Reading> readings = HashMap.newHashMap(activity.size());
    activity.forEach(
        (held, percent) -> {
          Instant at = sampledAt.get(held);
          if (Double.isNaN(percent)) {
            odd(held, "its activity is no percentage");
          } else if (at != null) {
            readings.put(held, new Reading(at, percent >= WORKS));
          }
        });
    var untold = new HashSet<>(sampledAt.keySet());
    untold.removeAll(activity.keySet());
    untold.forEach(held -> odd(held, "no sample within the last minutes"));
    return readings;
  }

  /** Turns clocks into evidence, and the activity into raw utilization if that is wanted. */
  void gather(Map<Held, ActivityClock> clocks, Instant at, boolean rawToo) {
    clocks.forEach(
        (held, clock) -> {
          mark(Mark.OBSERVED_SINCE, held, clock.observedSince(), at);
          mark(Mark.OBSERVED_UNTIL, held, clock.observedUntil(), at);
          mark(Mark.SAMPLED_AT, held, clock.observedUntil(), at);
          clock
              .lastActive()
              .ifPresentOrElse(
                  last -> mark(Mark.LAST_ACTIVE, held, last, at),
                  () -> gathering.neverActive(Optional.of(held.pod()), label(held.device())));
          if (rawToo) {
            gathering.utilization(label(held.device()), activity.getOrDefault(held, Double.NaN));
          }
        });
  }

  private void mark(Mark mark, Held held, Instant value, Instant at) {
    gathering.mark(
        mark,
        Optional.of(held.pod()),
        label(held.device()),
        value.toEpochMilli() / MILLIS_PER_SECOND,
        at);
  }

  private static Label label(Entity device) {
    return new Label(device.gpu().value(), device.instanceId().map(String::valueOf).orElse(null));
  }

  private Optional<Held> held(VectorSample sample) {
    Optional<PodKey> pod = labels.pod(sample.labels()).filter(key -> !key.isBlank());
    Optional<Entity> device = labels.device(sample.labels()).device();
    if (pod.isEmpty() || device.isEmpty()) {
      gathering.odd("series without pod or GPU: " + Excerpt.of(sample.labels().toString()));
      return Optional.empty();
    }
    return Optional.of(new Held(pod.get(), device.get()));
  }

  private void odd(Held held, String why) {
    gathering.odd(
        "pod " + held.pod().text() + ", GPU " + held.device() + ": " + why + "; GPU left out");
  }

  private static Instant older(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
