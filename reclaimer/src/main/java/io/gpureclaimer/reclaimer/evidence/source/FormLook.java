package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.client.Excerpt;
import io.gpureclaimer.reclaimer.evidence.ActivityClock;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.Label;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import io.gpureclaimer.reclaimer.evidence.source.Clocks.Held;
import io.gpureclaimer.reclaimer.evidence.source.Clocks.Reading;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** One look at the evidence of one form. Confined to one thread at a time. */
final class FormLook {
  private final Form form;
  private final HealthSamples health;
  private final Gathering gathering;
  private final Optional<SeriesSamples> series;
  private final SignalSamples signalSamples;
  private final Relived relived;
  private final Sorting evidence;

  /** A look of its own. */
  FormLook(Form form, HealthSamples health, SignalLimits limits) {
    this(form, health, limits, new Relived());
  }

  /**
   * @param relived what earlier looks found
   */
  FormLook(Form form, HealthSamples health, SignalLimits limits, Relived relived) {
    this.form = form;
    this.relived = relived;
    this.health = health;
    this.gathering = gathering(form);
    this.series =
        form instanceof Form.Series(var labels, _)
            ? Optional.of(new SeriesSamples(labels, gathering))
            : Optional.empty();
    this.signalSamples = new SignalSamples(limits, gathering, FormQueries.uuid(form));
    this.evidence = sortingOfEvidence();
  }

  /** How the clocks move on. */
  interface Advance {
    Map<Held, ActivityClock> by(Map<Held, Reading> readings, Instant at);
  }

  Form form() {
    return form;
  }

  /** Whether the evidence tells of nobody. */
  boolean seesNobody() {
    return series.map(samples -> samples.readings().isEmpty()).orElseGet(gathering::isEmpty);
  }

  /** Reads the evidence. */
  Sorting evidence() {
    return evidence;
  }

  /** Reads the signals. */
  Sorting signals() {
    var sorting = new Sorting(this::unasked);
    signalSamples.readFrom(sorting);
    return sorting;
  }

  /** Reads both from one answer. */
  Sorting everything() {
    signalSamples.readFrom(evidence);
    return evidence;
  }

  /**
   * What it says, once all was read.
   *
   * @param rawToo whether the activity counts as raw utilization, too
   */
  Seen seen(Advance clocks, boolean rawToo, Clock clock) {
    Instant at = evidence.at().orElseGet(clock::instant);
    series.ifPresent(samples -> samples.gather(clocks.by(samples.readings(), at), at, rawToo));
    if (form instanceof Form.Rules) {
      gathering.beganAtRest();
    }
    relived.restrict(gathering, at);
    Seen seen = gathering.seen(at);
    return seen.from(form.told(), health.health());
  }

  private Sorting sortingOfEvidence() {
    Consumer<VectorSample> plain =
        switch (form) {
          case Form.Ledger() -> new LedgerSamples(gathering);
          case Form.Rules() -> new RuleSamples(gathering);
          case Form.Series _ -> this::unasked;
        };
    var sorting = new Sorting(plain).reading(FormQueries.labels(form));
    sorting.to(this::utilization, Queries.UTILIZATION);
    if (form instanceof Form.Ledger) {
      sorting.to(
          plain, Queries.SAMPLED_AT, Queries.NEVER_ACTIVE, Queries.TORN, Queries.OBSERVED_UNTIL);
    }
    FormQueries.podLabels(form)
        .ifPresent(labels -> sorting.to(sample -> relived.ahead(sample, labels), Relived.AHEAD));
    series.ifPresent(
        samples ->
            sorting
                .to(samples::activity, SeriesSamples.ACTIVITY)
                .to(samples::sampled, Queries.SAMPLED_AT));
    health.readFrom(sorting);
    return sorting;
  }

  private void utilization(VectorSample sample) {
    var labels = PodLabels.canonical();
    Label device = labels.device(sample.labels());
    gathering.utilization(device, sample.value());
  }

  private void unasked(VectorSample sample) {
    gathering.odd("series nobody asked for: " + Excerpt.of(sample.labels().toString()));
  }

  private static Gathering gathering(Form form) {
    return switch (form) {
      case Form.Ledger() -> new Gathering();
      case Form.Rules() ->
          new Gathering("no clocks of the recording rules in the answer: no pod holds a GPU");
      case Form.Series _ -> new Gathering("no series of a GPU in a pod's hands in the answer");
    };
  }
}
