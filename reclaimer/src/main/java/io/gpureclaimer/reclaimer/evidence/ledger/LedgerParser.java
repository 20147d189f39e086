package io.gpureclaimer.reclaimer.evidence.ledger;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.TimestampKind;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.PodKey;
import io.gpureclaimer.reclaimer.evidence.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.PodLabels;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Parser of the agents' records. Confined to one thread at a time. */
public final class LedgerParser implements EvidenceFormat.EvidenceParser {
  private static final PodLabels LABELS = PodLabels.canonical();

  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final PodActivityAggregator aggregator;

  public LedgerParser(PodActivityAggregator aggregator) {
    this.aggregator = aggregator;
  }

  @Override
  public void accept(MetricSample sample) {
    Map<String, String> labels = sample.labels();
    String overwritten = labels.get(LedgerFormat.OVERWRITTEN_POD_UID);
    if (overwritten != null) {
      aggregator.skip(
          "series of pod "
              + Excerpt.of(overwritten)
              + " left out: its pod_uid was overwritten by the scrape, which needs honor_labels");
      return;
    }
    switch (labels.get(PromQl.KIND)) {
      case LedgerFormat.NEVER_ACTIVE -> device(labels).ifPresent(aggregator::neverActive);
      case LedgerFormat.TORN -> device(labels).ifPresent(aggregator::torn);
      case ActivityQueries.SAMPLED_AT -> {
        if (labels.containsKey(Labels.UUID)) {
          timestamp(TimestampKind.SAMPLED_AT, sample);
        } else {
          sampledAt(sample);
        }
      }
      case LedgerFormat.OBSERVED_UNTIL -> timestamp(TimestampKind.OBSERVED_UNTIL, sample);
      case null, default -> record(sample);
    }
  }

  /**
   * Takes a sample as an agent exposes it. As in a Prometheus, the time of the scrape is that of
   * the last observation that it brought.
   */
  public void acceptScraped(MetricSample sample) {
    if (!LedgerMetrics.BUSY.equals(sample.name())) {
      record(sample);
    } else if (sample.value() == 0) {
      device(sample.labels()).ifPresent(aggregator::neverActive);
    }
    if (LedgerMetrics.OBSERVED_UNTIL.equals(sample.name())) {
      double scrapedAt = sample.at().toEpochMilli() / MILLIS_PER_SECOND;
      timestamp(
          TimestampKind.SAMPLED_AT, new MetricSample(sample.labels(), scrapedAt, sample.at()));
    }
  }

  private void record(MetricSample sample) {
    switch (sample.name()) {
      case LedgerMetrics.DEVICE_COUNT ->
          LABELS
              .byUid(sample.labels())
              .ifPresentOrElse(
                  pod -> aggregator.deviceCount(pod, sample.value()),
                  () -> aggregator.skip("device count without pod_uid"));
      case LedgerMetrics.LAST_ACTIVE -> timestamp(TimestampKind.LAST_ACTIVE, sample);
      case LedgerMetrics.OBSERVED_SINCE -> timestamp(TimestampKind.OBSERVED_SINCE, sample);
      case LedgerMetrics.OBSERVED_UNTIL -> timestamp(TimestampKind.OBSERVED_UNTIL, sample);
      case null, default -> EvidenceReader.unexpected(sample, aggregator);
    }
  }

  private void timestamp(TimestampKind kind, MetricSample sample) {
    device(sample.labels())
        .ifPresentOrElse(
            device -> aggregator.timestamp(kind, device, sample.value(), sample.at()),
            () ->
                aggregator.skip(
                    LABELS.missing(kind.text(), sample.labels(), LABELS.byUid(sample.labels()))));
  }

  private void sampledAt(MetricSample sample) {
    LABELS
        .byUid(sample.labels())
        .ifPresentOrElse(
            pod -> aggregator.sampledAt(pod, sample.value(), sample.at()),
            () -> aggregator.skip(TimestampKind.SAMPLED_AT.text() + " without pod_uid"));
  }

  /** By UID alone: names may be those of the agent itself. */
  private static Optional<PodDevice> device(Map<String, String> labels) {
    Optional<PodKey> pod = LABELS.byUid(labels);
    return LABELS.device(labels).flatMap(device -> pod.map(key -> new PodDevice(key, device)));
  }

  @Override
  public boolean isEmpty() {
    return aggregator.isEmpty();
  }

  @Override
  public void finish(Instant at, FetchScope scope) {}
}
