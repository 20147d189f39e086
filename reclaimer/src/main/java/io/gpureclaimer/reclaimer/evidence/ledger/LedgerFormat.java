package io.gpureclaimer.reclaimer.evidence.ledger;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.TimestampKind;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Ledger format: the activity records of our own agents. */
public record LedgerFormat() implements EvidenceFormat, EvidenceFormat.Detector {
  /** The oddity of an answer without any pod. */
  public static final String NO_PODS =
      "no gpu_pod_* series in the answer: no pod holds a GPU, or no agent is scraped";

  /** The label that a scrape without {@code honor_labels} makes of the pod's UID. */
  private static final String OVERWRITTEN_POD_UID = "exported_" + Labels.POD_UID;

  /** A device that has not worked since its observation began, as its agent reports it. */
  private static final String NEVER_ACTIVE = "never_active";

  /** A device with timestamps of different scrapes. */
  private static final String TORN = "torn";

  /** The last observation of a device, computed and so without its own name. */
  private static final String OBSERVED_UNTIL = "observed_until";

  private static final String CODE = "ledger";
  private static final List<String> RECORDS =
      List.of(
          LedgerMetrics.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL,
          LedgerMetrics.DEVICE_COUNT);

  /** Of two series about one device or pod, the later of these makes it look less idle. */
  private static final List<String> LATEST =
      List.of(LedgerMetrics.LAST_ACTIVE, LedgerMetrics.OBSERVED_SINCE, LedgerMetrics.DEVICE_COUNT);

  private static final List<String> POD = List.of(Labels.POD_UID, OVERWRITTEN_POD_UID);
  private static final List<String> DEVICE =
      List.of(Labels.UUID, Labels.GPU_INSTANCE_ID, Labels.POD_UID, OVERWRITTEN_POD_UID);

  @Override
  public FormatName name() {
    return new FormatName(CODE, "what the agents recorded");
  }

  @Override
  public PodLabelNames labels() {
    return PodLabelNames.canonical();
  }

  @Override
  public Set<String> parsedLabels() {
    return Set.copyOf(DEVICE);
  }

  @Override
  public String ifEmpty() {
    return NO_PODS;
  }

  /** Only the labels that are needed: in a large cluster most of the cost is that of labels. */
  @Override
  public List<String> allPods() {
    String until = LedgerMetrics.OBSERVED_UNTIL;
    String sampledAt = "timestamp(" + until + ")";
    List<String> named = Stream.concat(Stream.of("__name__"), DEVICE.stream()).toList();
    return List.of(
        torn(LedgerMetrics.LAST_ACTIVE, sampledAt),
        PromQl.kind(NEVER_ACTIVE, PromQl.by("max", DEVICE, LedgerMetrics.BUSY) + " == 0"),
        PromQl.kind(ActivityQueries.SAMPLED_AT, PromQl.by("min", POD, sampledAt)),
        PromQl.kind(OBSERVED_UNTIL, PromQl.by("min", DEVICE, until)),
        PromQl.by("max", named, PromQl.select(LATEST, "")));
  }

  /** Without a measurement of utilization there is no sample of it. */
  @Override
  public List<String> onePod(PodActivity pod) {
    String records = records(PromQl.equal(Labels.POD_UID, pod.uid()));
    return Stream.concat(Stream.of(records), ActivityQueries.utilizations(pod)).toList();
  }

  @Override
  public String pastPods() {
    return records("");
  }

  @Override
  public String devicesOf(Collection<String> namespaces) {
    return PodLabelNames.ofNamespaces(List.of(LedgerMetrics.OBSERVED_UNTIL), namespaces)
        // Device counts have no UUID, and there are few of them: all may come.
        + " or "
        + PromQl.select(List.of(LedgerMetrics.DEVICE_COUNT), "");
  }

  private static String records(String matcher) {
    String in = "{" + matcher + "}";
    String lastActive = LedgerMetrics.LAST_ACTIVE + in;
    String busy = LedgerMetrics.BUSY + in;
    String until = "timestamp(" + LedgerMetrics.OBSERVED_UNTIL + in + ")";
    // The smallest first: each "or" reads all that is left of it.
    return Stream.of(
            torn(lastActive, until),
            torn(LedgerMetrics.OBSERVED_SINCE + in, until),
            torn(busy, until),
            PromQl.kind(NEVER_ACTIVE, "(" + busy + " == 0 unless " + lastActive + ")"),
            PromQl.kind(ActivityQueries.SAMPLED_AT, until),
            PromQl.select(RECORDS, matcher))
        .collect(Collectors.joining(" or "));
  }

  /** Empty, unless samples were lost: a scrape brings all timestamps or none. */
  private static String torn(String timestamp, String until) {
    return PromQl.kind(TORN, "(timestamp(" + timestamp + ") != " + until + ")");
  }

  @Override
  public EvidenceParser parser(PodActivityAggregator into) {
    return new LedgerParser(into);
  }

  @Override
  public String code() {
    return CODE;
  }

  @Override
  public Optional<EvidenceFormat> undetected() {
    return Optional.of(this);
  }

  @Override
  public List<String> queries() {
    return List.of(
        ProbeResult.count(CODE, PromQl.select(List.of(LedgerMetrics.OBSERVED_UNTIL), "")));
  }

  @Override
  public Detection detect(ProbeResult found, Optional<PodLabelNames.PodLabelStyle> style) {
    return found.count(CODE) > 0 ? new Detection.Found(this) : new Detection.Absent();
  }

  /** Parser of the agents' records. Confined to one thread at a time. */
  public static final class LedgerParser implements EvidenceFormat.EvidenceParser {
    private static final PodLabelNames LABELS = PodLabelNames.canonical();

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private final PodActivityAggregator aggregator;

    public LedgerParser(PodActivityAggregator aggregator) {
      this.aggregator = aggregator;
    }

    @Override
    public void accept(MetricSample sample) {
      Map<String, String> labels = sample.labels();
      String overwritten = labels.get(OVERWRITTEN_POD_UID);
      if (overwritten != null) {
        aggregator.skip(
            "series of pod "
                + Excerpt.of(overwritten)
                + " left out: its pod_uid was overwritten by the scrape, which needs honor_labels");
        return;
      }
      switch (labels.get(PromQl.KIND)) {
        case NEVER_ACTIVE -> device(labels).ifPresent(aggregator::neverActive);
        case TORN -> device(labels).ifPresent(aggregator::torn);
        case ActivityQueries.SAMPLED_AT -> {
          if (labels.containsKey(Labels.UUID)) {
            timestamp(TimestampKind.SAMPLED_AT, sample);
          } else {
            sampledAt(sample);
          }
        }
        case OBSERVED_UNTIL -> timestamp(TimestampKind.OBSERVED_UNTIL, sample);
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
}
