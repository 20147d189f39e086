package io.gpureclaimer.reclaimer.evidence.series;

import io.gpureclaimer.common.vocabulary.ActivityField;
import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.TimestampKind;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.series.ActivityClockStore.ActivityClock;
import io.gpureclaimer.reclaimer.evidence.series.ActivityClockStore.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Series format: the metrics of dcgm-exporter or its like, over which the clocks are kept here.
 *
 * @param labels by which they name pods and devices
 * @param signs those that are there
 * @param clocks the clocks of the devices
 */
record SeriesFormat(PodLabelNames labels, List<ActivitySign> signs, ActivityClockStore clocks)
    implements EvidenceFormat {
  static final String CODE = "series";

  /** The kind of the highest activity in a window. */
  static final String ACTIVITY = "activity";

  SeriesFormat {
    signs = List.copyOf(signs);
  }

  @Override
  public FormatName name() {
    return new FormatName(
        CODE,
        "clocks kept here over "
            + signs.stream().map(ActivitySign::metric).sorted().collect(Collectors.joining(", "))
            + "; pods by "
            + labels.uid().orElse(labels.style().namespace() + " and " + labels.style().pod()));
  }

  @Override
  public String ifEmpty() {
    return "no series of a GPU in a pod's hands in the answer";
  }

  @Override
  public List<String> allPods() {
    String ahead = ActivityQueries.ahead(signs, labels.style().matcher(), labels.all());
    return Stream.concat(
            Stream.of(PromQl.kind(ClockRollbackGuard.AHEAD, ahead)),
            series(labels.style().matcher()))
        .toList();
  }

  @Override
  public List<String> onePod(PodActivity pod) {
    return labels
        .uid()
        .map(uid -> PromQl.equal(uid, pod.uid()))
        .or(() -> pod.name().map(labels::matcher))
        .map(which -> PromQl.together(series(labels.style().matcher() + "," + which)))
        .stream()
        .toList();
  }

  @Override
  public String pastPods() {
    return PromQl.together(series(labels.style().matcher()));
  }

  private Stream<String> series(String matchers) {
    return Stream.of(
        PromQl.kind(
            ACTIVITY,
            ActivityQueries.activity(signs, matchers, labels.all(), ActivityClockStore.WINDOW)),
        PromQl.kind(
            ActivityQueries.SAMPLED_AT, ActivityQueries.sampled(signs, matchers, labels.all())));
  }

  @Override
  public String devicesOf(Collection<String> namespaces) {
    return PromQl.select(
        signs.stream().map(ActivitySign::metric).toList(),
        PromQl.oneOf(labels.style().namespace(), namespaces));
  }

  /**
   * The clocks start again after a longer gap between two samples. The samples that two looks see
   * are as far apart as a step and a scrape interval, so that each may take half of it.
   */
  @Override
  public Optional<Duration> longestStep() {
    return Optional.of(ActivityClockStore.LONGEST_GAP.dividedBy(2));
  }

  @Override
  public Optional<PodName> podName(Map<String, String> of) {
    return labels.name(of);
  }

  @Override
  public EvidenceParser parser(PodActivityAggregator into) {
    return new SeriesParser(labels, clocks, into);
  }

  /** Parser of the series of an exporter. Confined to one thread at a time. */
  static final class SeriesParser implements EvidenceFormat.EvidenceParser {
    private static final double MILLIS_PER_SECOND = 1_000.0;

    private final PodLabelNames labels;
    private final ActivityClockStore clocks;
    private final PodActivityAggregator aggregator;
    private final Map<PodDevice, Double> activity = new HashMap<>();
    private final Map<PodDevice, Instant> sampledAt = new HashMap<>();

    SeriesParser(
        PodLabelNames labels, ActivityClockStore clocks, PodActivityAggregator aggregator) {
      this.labels = labels;
      this.clocks = clocks;
      this.aggregator = aggregator;
    }

    @Override
    public void accept(MetricSample sample) {
      String kind = sample.labels().getOrDefault(PromQl.KIND, "");
      if (!kind.equals(ACTIVITY) && !kind.equals(ActivityQueries.SAMPLED_AT)) {
        EvidenceReader.unexpected(sample, aggregator);
        return;
      }
      labels
          .podDevice(sample.labels())
          .ifPresentOrElse(
              device -> {
                if (kind.equals(ACTIVITY)) {
                  boolean possible = sample.value() >= 0 && Double.isFinite(sample.value());
                  activity.merge(device, possible ? sample.value() : Double.NaN, Math::max);
                } else {
                  sampledAt.merge(
                      device, sample.valueAsInstant(), TimestampKind.SAMPLED_AT::leastIdle);
                }
              },
              () ->
                  aggregator.skip(
                      "series without pod or GPU: " + Excerpt.of(sample.labels().toString())));
    }

    @Override
    public boolean isEmpty() {
      return activity.entrySet().stream()
          .noneMatch(each -> !each.getValue().isNaN() && sampledAt.containsKey(each.getKey()));
    }

    /** For one pod, the activity is its raw utilization, too, and the clocks stay as they are. */
    @Override
    public void finish(Instant at, FetchScope scope) {
      Map<PodDevice, ActivityClock> now =
          switch (scope) {
            case ALL_PODS -> clocks.advance(readings(), at);
            case ONE_POD -> clocks.advanced(readings(), at);
          };
      now.forEach(
          (device, clock) -> {
            add(TimestampKind.OBSERVED_SINCE, device, clock.observedSince(), at);
            add(TimestampKind.OBSERVED_UNTIL, device, clock.observedUntil(), at);
            add(TimestampKind.SAMPLED_AT, device, clock.observedUntil(), at);
            clock
                .lastActive()
                .ifPresentOrElse(
                    last -> add(TimestampKind.LAST_ACTIVE, device, last, at),
                    () -> aggregator.neverActive(device));
            if (scope == FetchScope.ONE_POD) {
              aggregator.utilization(device.device(), activity.getOrDefault(device, Double.NaN));
            }
          });
    }

    /** Devices with activity and a sample time. Activity alone is that of a pod that has ended. */
    private Map<PodDevice, ClockReading> readings() {
      Map<PodDevice, ClockReading> readings = HashMap.newHashMap(activity.size());
      activity.forEach(
          (device, percent) -> {
            Instant at = sampledAt.get(device);
            if (Double.isNaN(percent)) {
              aggregator.skip(device, "its activity is no percentage");
            } else if (at != null) {
              readings.put(
                  device, new ClockReading(at, percent >= ActivityField.THRESHOLD_PERCENT));
            }
          });
      sampledAt.keySet().stream()
          .filter(device -> !activity.containsKey(device))
          .forEach(device -> aggregator.skip(device, "no sample within the last minutes"));
      return readings;
    }

    private void add(TimestampKind kind, PodDevice device, Instant value, Instant at) {
      aggregator.timestamp(kind, device, value.toEpochMilli() / MILLIS_PER_SECOND, at);
    }
  }
}
