package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.FetchScope;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of the answers of one fetch. Confined to one thread at a time. */
public final class EvidenceReader {
  private static final String STARTED = "source_started";

  /** When the Prometheus started; one that does not scrape itself does not report it. */
  public static final String START_QUERY =
      PromQl.kind(
          STARTED, "max(process_start_time_seconds and on (job, instance) prometheus_build_info)");

  private final EvidenceFormat format;
  private final PodActivityAggregator aggregator;
  private final EvidenceFormat.Parser parser;
  private final SignalParser signals;
  private final ClockRollbackGuard guard;
  private @Nullable Instant at;
  private @Nullable Instant startedAt;

  /**
   * @param guard knows the clock rollbacks of earlier fetches
   */
  public EvidenceReader(EvidenceFormat format, SignalLimits limits, ClockRollbackGuard guard) {
    this.format = format;
    this.guard = guard;
    this.aggregator = new PodActivityAggregator(format.ifEmpty());
    this.parser = format.parser(aggregator);
    this.signals = new SignalParser(limits, aggregator, format.labels().uuid());
  }

  public EvidenceFormat format() {
    return format;
  }

  /** Whether the evidence names no pod. */
  public boolean isEmpty() {
    return parser.isEmpty();
  }

  /** Labels that are read of evidence. */
  public static Set<String> evidenceLabels(EvidenceFormat format) {
    Set<String> labels = new HashSet<>(Set.of(MetricSample.NAME, PromQl.KIND));
    labels.addAll(format.parsedLabels());
    return labels;
  }

  /** Labels that are read of signals. */
  public static Set<String> signalLabels(EvidenceFormat format) {
    Set<String> labels = new HashSet<>(Set.of(MetricSample.NAME, PromQl.KIND));
    labels.addAll(SignalParser.labels(format.labels().uuid()));
    return labels;
  }

  /** Takes a sample of an answer with evidence, which gives the time of the observation. */
  public void evidence(MetricSample sample) {
    answeredAt(sample);
    switch (sample.labels().get(PromQl.KIND)) {
      case STARTED -> startedAt = Instant.ofEpochSecond((long) sample.value());
      case ClockRollbackGuard.AHEAD -> guard.ahead(sample, format.labels());
      case ActivityQueries.UTILIZATION -> utilization(sample);
      case null, default -> parser.accept(sample);
    }
  }

  /** Takes a sample of an answer with evidence and signals. */
  public void evidenceOrSignal(MetricSample sample) {
    answeredAt(sample);
    if (!signals.accept(sample)) {
      evidence(sample);
    }
  }

  private void answeredAt(MetricSample sample) {
    at = at == null || sample.at().isAfter(at) ? sample.at() : at;
  }

  /** Takes a sample of an answer about signals alone. */
  public void signal(MetricSample sample) {
    if (!signals.accept(sample)) {
      unexpected(sample, aggregator);
    }
  }

  /** Reports a sample that no query asked for. */
  public static void unexpected(MetricSample sample, PodActivityAggregator into) {
    into.skip("unexpected series: " + Excerpt.of(sample.labels().toString()));
  }

  private void utilization(MetricSample sample) {
    format
        .labels()
        .device(sample.labels())
        .ifPresentOrElse(
            device -> aggregator.utilization(device, sample.value()),
            () -> aggregator.skip("utilization without UUID"));
  }

  /**
   * The observation, after the last sample.
   *
   * @param clock for the time of an answer without samples
   */
  public Seen observation(FetchScope scope, Clock clock) {
    Instant answeredAt = at == null ? clock.instant() : at;
    parser.finish(answeredAt, scope);
    guard.restrict(aggregator, answeredAt);
    return aggregator.observation(answeredAt).from(format.name(), Optional.ofNullable(startedAt));
  }
}
