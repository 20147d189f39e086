package io.gpureclaimer.reclaimer.evidence.ledger;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.TimestampKind;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator.AgentSignalNames;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.ledger.BusyTimeStore.BusyReading;
import io.gpureclaimer.reclaimer.evidence.ledger.BusyTimeStore.BusyTime;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parser of the agents' records. Confined to one thread at a time. */
public final class LedgerParser implements EvidenceFormat.EvidenceParser {
  private static final PodLabelNames LABELS = PodLabelNames.canonical();

  private static final double MILLIS_PER_SECOND = 1_000.0;

  /** So long after a contradiction nothing is believed; then, what came after it. */
  private static final Duration DOUBTED_FOR = Duration.ofMinutes(2);

  private final PodActivityAggregator aggregator;
  private final BusyTimeStore busyTimes;
  private final Map<PodDevice, Double> busySeconds = new HashMap<>();
  private final Map<PodDevice, Double> growths = new HashMap<>();
  private final Set<PodDevice> devicesOfRows = new HashSet<>();

  /**
   * @param busyTimes busy times of earlier fetches
   */
  public LedgerParser(PodActivityAggregator aggregator, BusyTimeStore busyTimes) {
    this.aggregator = aggregator;
    this.busyTimes = busyTimes;
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
      case LedgerFormat.BUSY -> device(labels).ifPresent(device -> busy(device, sample.value()));
      case LedgerFormat.GREW ->
          device(labels).ifPresent(device -> growths.merge(device, sample.value(), Math::max));
      case LedgerFormat.COUNT -> deviceCount(sample, labels.get(LedgerFormat.INSTANCE));
      case LedgerFormat.LAG ->
          device(labels).ifPresent(device -> aggregator.lag(device, sample.value()));
      case ActivityQueries.SAMPLED_AT -> {
        observedBy(labels, labels.get(LedgerFormat.INSTANCE));
        if (labels.containsKey(Labels.UUID)) {
          timestamp(TimestampKind.SAMPLED_AT, sample);
        } else {
          sampledAt(sample);
        }
      }
      case LedgerSelectiveQueries.DEVICE -> device(sample);
      case LedgerFormat.LAST_SIGNAL -> lastSignal(sample);
      case LedgerFormat.LAST_ACTIVE -> timestamp(TimestampKind.LAST_ACTIVE, sample);
      case LedgerFormat.OBSERVED_SINCE -> timestamp(TimestampKind.OBSERVED_SINCE, sample);
      case LedgerFormat.OBSERVED_UNTIL -> timestamp(TimestampKind.OBSERVED_UNTIL, sample);
      case null, default -> record(sample);
    }
  }

  /**
   * Takes a sample as an agent exposes it. As in a Prometheus, the time of the scrape is that of
   * the last observation that it brought.
   */
  public void acceptScraped(MetricSample sample, String agent) {
    switch (sample.name()) {
      case LedgerMetrics.BUSY ->
          device(sample.labels()).ifPresent(device -> busy(device, sample.value()));
      case LedgerMetrics.DEVICE_COUNT -> deviceCount(sample, agent);
      case LedgerMetrics.OBSERVED_UNTIL -> {
        record(sample);
        double scrapedAt = sample.at().toEpochMilli() / MILLIS_PER_SECOND;
        timestamp(
            TimestampKind.SAMPLED_AT, new MetricSample(sample.labels(), scrapedAt, sample.at()));
        observedBy(sample.labels(), agent);
      }
      case null, default -> record(sample);
    }
  }

  /** Takes the row that has every value of a device but its last activity. */
  private void device(MetricSample row) {
    Optional<PodDevice> device = device(row.labels());
    timestamp(TimestampKind.OBSERVED_SINCE, device, row, valueOf(LedgerFormat.OBSERVED_SINCE, row));
    timestamp(TimestampKind.OBSERVED_UNTIL, device, row, valueOf(LedgerFormat.OBSERVED_UNTIL, row));
    device.ifPresent(
        it -> {
          devicesOfRows.add(it);
          busy(it, valueOf(LedgerFormat.BUSY, row));
        });
    if (row.value() != 0 || row.labels().containsKey(Labels.WATCHED)) {
      lastSignal(device, row);
    }
  }

  /** The value that a label has; NaN, which is never believed, for what is no finite number. */
  private static double valueOf(String label, MetricSample row) {
    try {
      return Double.parseDouble(row.labels().getOrDefault(label, ""));
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }

  /** Several containers may share a device; the longest busy time counts. */
  private void busy(PodDevice device, double seconds) {
    if (seconds == 0) {
      aggregator.neverActive(device);
    }
    if (seconds >= 0 && Double.isFinite(seconds)) {
      busySeconds.merge(device, seconds, Math::max);
    }
  }

  private void observedBy(Map<String, String> labels, @Nullable String agent) {
    if (agent != null && !agent.isEmpty()) {
      LABELS.byUid(labels).ifPresent(pod -> aggregator.observedBy(pod, agent));
    }
  }

  private void deviceCount(MetricSample sample, @Nullable String agent) {
    LABELS
        .byUid(sample.labels())
        .ifPresentOrElse(
            pod -> {
              aggregator.deviceCount(pod, sample.value());
              if (agent != null && !agent.isEmpty()) {
                aggregator.countedBy(agent);
              }
            },
            () -> aggregator.skip("device count without pod_uid"));
  }

  private void record(MetricSample sample) {
    switch (sample.name()) {
      case LedgerMetrics.DEVICE_COUNT ->
          deviceCount(sample, sample.labels().get(LedgerFormat.INSTANCE));
      case LedgerMetrics.LAST_SIGNAL -> lastSignal(sample);
      case LedgerMetrics.LAST_ACTIVE -> timestamp(TimestampKind.LAST_ACTIVE, sample);
      case LedgerMetrics.OBSERVED_SINCE -> timestamp(TimestampKind.OBSERVED_SINCE, sample);
      case LedgerMetrics.OBSERVED_UNTIL -> timestamp(TimestampKind.OBSERVED_UNTIL, sample);
      case null, default -> EvidenceReader.unexpected(sample, aggregator);
    }
  }

  /** An agent that watches what is not known here is newer; its signals are queried. */
  private void lastSignal(MetricSample sample) {
    lastSignal(device(sample.labels()), sample);
  }

  private void lastSignal(Optional<PodDevice> of, MetricSample sample) {
    Map<String, String> labels = sample.labels();
    of.ifPresentOrElse(
        device ->
            AgentSignalNames.of(
                    labels.getOrDefault(Labels.SIGNAL, ""), labels.getOrDefault(Labels.WATCHED, ""))
                .ifPresentOrElse(
                    names -> aggregator.agentSignal(device, sample.value(), names, sample.at()),
                    () -> aggregator.skip(device + ": unknown signals of its agent left out")),
        () -> aggregator.skip(TimestampKind.LAST_SIGNAL.text() + " without pod_uid or UUID"));
  }

  private void timestamp(TimestampKind kind, MetricSample sample) {
    timestamp(kind, device(sample.labels()), sample, sample.value());
  }

  private void timestamp(
      TimestampKind kind, Optional<PodDevice> of, MetricSample sample, double value) {
    of.ifPresentOrElse(
        device -> aggregator.timestamp(kind, device, value, sample.at()),
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
  public void finish(Instant at, FetchScope scope) {
    Map<PodDevice, BusyReading> readings = readings(at);
    Map<PodDevice, BusyTime> times =
        switch (scope) {
          case ALL_PODS -> busyTimes.advance(readings, at);
          case ONE_POD -> busyTimes.advanced(readings);
        };
    times.forEach(
        (device, time) ->
            time.growth()
                .ifPresent(
                    growth -> {
                      Instant doubtedUntil = growth.until().plus(DOUBTED_FOR);
                      if (time.reading().until().isBefore(doubtedUntil)) {
                        contradiction(device, growth.seconds());
                      } else {
                        aggregator.knownSince(device, growth.until(), at);
                      }
                    }));
    growths.forEach(this::contradiction);
  }

  /**
   * Only an unchanged last activity can contradict a busy time. Rows have that of a device that
   * just worked, too; other queries leave it out.
   */
  private Map<PodDevice, BusyReading> readings(Instant at) {
    Map<PodDevice, BusyReading> readings = HashMap.newHashMap(busySeconds.size());
    Instant recent = at.minusSeconds(LedgerFormat.RECENT_SECONDS);
    busySeconds.forEach(
        (device, seconds) ->
            aggregator
                .timestamp(TimestampKind.LAST_ACTIVE, device)
                .filter(active -> !active.isAfter(recent) || !devicesOfRows.contains(device))
                .ifPresent(
                    active ->
                        aggregator
                            .timestamp(TimestampKind.OBSERVED_UNTIL, device)
                            .ifPresent(
                                until ->
                                    readings.put(
                                        device, new BusyReading(active, until, seconds)))));
    return readings;
  }

  private void contradiction(PodDevice device, double seconds) {
    aggregator.contradiction(
        device,
        String.format(
            Locale.ROOT,
            "%s grew by %.1fs without a later %s than %s",
            LedgerMetrics.BUSY,
            seconds,
            TimestampKind.LAST_ACTIVE.text(),
            aggregator
                .timestamp(TimestampKind.LAST_ACTIVE, device)
                .map(Instant::toString)
                .orElse("before")));
  }
}
