package io.gpureclaimer.reclaimer.evidence.rules;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity.TimestampKind;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rules format: the clocks that the recording rules of deploy/rules keep. */
public record RulesFormat() implements EvidenceFormat, EvidenceFormat.Detector {
  public static final String LAST_ACTIVE = "gpu_reclaimer:device_last_active:timestamp_seconds";
  public static final String OBSERVED_SINCE =
      "gpu_reclaimer:device_observed_since:timestamp_seconds";
  public static final String SAMPLED = "gpu_reclaimer:device_sampled:timestamp_seconds";
  public static final List<String> NAMES = List.of(LAST_ACTIVE, OBSERVED_SINCE, SAMPLED);
  private static final String CODE = "rules";
  private static final String CLUSTER_PREFIX = CODE + "/";
  private static final PodLabelNames LABELS = PodLabelNames.canonical();

  @Override
  public FormatName name() {
    return new FormatName(CODE, "the clocks of the recording rules");
  }

  @Override
  public PodLabelNames labels() {
    return LABELS;
  }

  @Override
  public String ifEmpty() {
    return "no clocks of the recording rules in the answer: no pod holds a GPU";
  }

  @Override
  public List<String> allPods() {
    return List.of(
        PromQl.kind(ClockRollbackGuard.AHEAD, ClockRollbackGuard.query(SAMPLED)), pastPods());
  }

  @Override
  public List<String> onePod(PodActivity pod) {
    String byUid = PromQl.select(NAMES, PromQl.equal(Labels.POD_UID, pod.uid()));
    String clocks =
        pod.name()
            .map(name -> LABELS.matcher(name) + "," + Labels.POD_UID + "=\"\"")
            .map(byName -> byUid + " or " + PromQl.select(NAMES, byName))
            .orElse(byUid);
    return Stream.concat(Stream.of(clocks), ActivityQueries.utilizations(pod)).toList();
  }

  @Override
  public String pastPods() {
    return PromQl.select(NAMES, "");
  }

  @Override
  public Optional<ClockNames> clockNames() {
    return Optional.of(new ClockNames(LAST_ACTIVE, OBSERVED_SINCE, SAMPLED));
  }

  @Override
  public String devicesOf(Collection<String> namespaces) {
    return PodLabelNames.ofNamespaces(List.of(SAMPLED), namespaces);
  }

  @Override
  public String code() {
    return CODE;
  }

  @Override
  public Optional<EvidenceFormat> undetected() {
    return Optional.of(this);
  }

  /** The clusters matter only if a clock has no UID. */
  @Override
  public List<String> queries() {
    String all = PromQl.select(List.of(SAMPLED), "");
    return List.of(
        ProbeResult.count(CODE, all),
        ProbeResult.clusters(CLUSTER_PREFIX, all)
            + " and on () count("
            + PromQl.select(List.of(SAMPLED), PodLabelNames.WITHOUT_UID)
            + ")");
  }

  @Override
  public Detection detect(ProbeResult found, Optional<PodLabelNames.PodLabelStyle> style) {
    return found.count(CODE) > 0
        ? found.ofOneCluster(CLUSTER_PREFIX, this)
        : new Detection.Absent();
  }

  @Override
  public EvidenceParser parser(PodActivityAggregator into) {
    return new RulesParser(into);
  }

  /** EvidenceParser of the clocks. Confined to one thread at a time. */
  private record RulesParser(PodActivityAggregator aggregator) implements EvidenceParser {
    @Override
    public void accept(MetricSample sample) {
      switch (sample.name()) {
        case LAST_ACTIVE -> timestamp(TimestampKind.LAST_ACTIVE, sample);
        case OBSERVED_SINCE -> timestamp(TimestampKind.OBSERVED_SINCE, sample);
        case SAMPLED -> {
          // The rules use the Prometheus's clock and the times of its samples, and no other clock.
          timestamp(TimestampKind.OBSERVED_UNTIL, sample);
          timestamp(TimestampKind.SAMPLED_AT, sample);
        }
        case null, default -> EvidenceReader.unexpected(sample, aggregator);
      }
    }

    private void timestamp(TimestampKind kind, MetricSample sample) {
      LABELS
          .podDevice(sample.labels())
          .ifPresentOrElse(
              device -> aggregator.timestamp(kind, device, sample.value(), sample.at()),
              () -> aggregator.skip(LABELS.missing(kind.text(), sample.labels())));
    }

    @Override
    public boolean isEmpty() {
      return aggregator.isEmpty();
    }

    @Override
    public void finish(Instant at, FetchScope scope) {
      aggregator.idleFromStart();
    }
  }
}
