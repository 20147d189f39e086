package io.gpureclaimer.reclaimer.evidence.format;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodDevice;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reader of the answers of one fetch. Confined to one thread at a time. */
public final class EvidenceReader {
  private static final String STARTED = "source_started";

  /** When the Prometheus started; one that does not scrape itself does not report it. */
  public static final String START_QUERY =
      PromQl.kind(
          STARTED, "max(process_start_time_seconds and on (job, instance) prometheus_build_info)");

  private static final String TIME = "source_time";

  /** Queries about the source itself: when it started, and its time, which is always answered. */
  public static final List<String> SOURCE_QUERIES =
      List.of(START_QUERY, PromQl.kind(TIME, "vector(1)"));

  private final EvidenceFormat format;
  private final PodActivityAggregator aggregator;
  private final EvidenceFormat.EvidenceParser parser;
  private final SignalParser signals;
  private final ClockRollbackGuard guard;
  private @Nullable Instant at;
  private @Nullable Instant startedAt;
  private boolean finished;

  /**
   * @param guard knows the clock rollbacks of earlier fetches
   */
  public EvidenceReader(EvidenceFormat format, SignalLimits limits, ClockRollbackGuard guard) {
    this.format = format;
    this.guard = guard;
    this.aggregator = new PodActivityAggregator(format.ifEmpty());
    this.aggregator.judgedByAgents(limits.judgedByAgents());
    this.parser = format.parser(aggregator);
    this.signals = new SignalParser(limits, aggregator, format.labels().uuid());
  }

  public EvidenceFormat format() {
    return format;
  }

  /** Takes what an earlier fetch had of a pod that is fetched again. */
  public void earlier(PodActivity pod) {
    if (pod.deviceCount().isPresent()) {
      aggregator.countedBefore(new PodKey.Uid(pod.uid()));
    }
  }

  /** Takes the agents that reported counts of devices in earlier fetches. */
  public void countedBy(Collection<String> agents) {
    agents.forEach(aggregator::countedBy);
  }

  /** The agents that report counts of devices, those of earlier fetches included. */
  public Set<String> countingAgents() {
    return aggregator.countingAgents();
  }

  /** The source's time of the answers so far; empty without a sample. */
  public Optional<Instant> answeredAt() {
    return Optional.ofNullable(at);
  }

  /** Pods of which no device was just active, with their GPUs, after the last evidence. */
  public Map<PodKey, Set<String>> quietPods(FetchScope scope, Clock clock) {
    finish(scope, clock);
    return aggregator.quietPods();
  }

  /** UIDs of the pods of which every device was sampled since then, after the last evidence. */
  public Set<String> podsSampledSince(Instant since) {
    return aggregator.podsSampledSince(since);
  }

  /** Signals of a device, after the last signal. */
  public Collection<Signal> signalsOf(Entity device) {
    return aggregator.signalsOf(device);
  }

  /** Signals of boards that agents watch, by GPU, after the last evidence. */
  public Map<String, Set<SignalKind>> watchedByAgents() {
    return aggregator.watchedByAgents();
  }

  /** How many pods the evidence is of. */
  public int pods() {
    return aggregator.pods();
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
      case TIME -> {}
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

  /** The pod that a signal is of. */
  public static Optional<PodName> podName(MetricSample signal) {
    String namespace = signal.labels().get(Labels.NAMESPACE);
    String pod = signal.labels().get(Labels.POD);
    return namespace == null || pod == null
        ? Optional.empty()
        : Optional.of(new PodName(namespace, pod));
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
    Instant answeredAt = finish(scope, clock);
    return aggregator.observation(answeredAt).from(format.name(), Optional.ofNullable(startedAt));
  }

  private Instant finish(FetchScope scope, Clock clock) {
    Instant answeredAt = at == null ? clock.instant() : at;
    if (!finished) {
      finished = true;
      parser.finish(answeredAt, scope);
      guard.restrict(aggregator, answeredAt);
    }
    return answeredAt;
  }

  /** Parser of the answers to {@link SignalQueries}. Confined to one thread at a time. */
  static final class SignalParser {
    private static final Map<String, SignalKind> KINDS =
        Stream.of(SignalKind.values())
            .collect(Collectors.toMap(SignalKind::code, Function.identity()));

    private final SignalLimits limits;
    private final PodActivityAggregator aggregator;
    private final String uuid;

    /**
     * @param uuid the label of a GPU's UUID
     */
    SignalParser(SignalLimits limits, PodActivityAggregator aggregator, String uuid) {
      this.limits = limits;
      this.aggregator = aggregator;
      this.uuid = uuid;
    }

    /** The labels that are read. */
    static Set<String> labels(String uuid) {
      return Set.of(
          uuid,
          Labels.GPU_INSTANCE_ID,
          Labels.MODEL_NAME,
          Labels.NAMESPACE,
          Labels.POD,
          SignalQueries.COUNTER,
          SignalQueries.LOST);
    }

    /** Takes a sample; false if it is of no signal. */
    boolean accept(MetricSample sample) {
      SignalKind kind = KINDS.get(sample.labels().getOrDefault(PromQl.KIND, ""));
      if (kind == null) {
        return false;
      }
      switch (kind) {
        case POWER, MEMORY, PCIE, NVLINK -> device(kind, sample);
        case CPU -> pod(sample, limits.cpu(value(sample)));
        case REQUESTS -> {
          String counter = sample.labels().getOrDefault(SignalQueries.COUNTER, "its counters");
          pod(sample, limits.requests(counter, value(sample)));
        }
        case JUPYTER -> pod(sample, limits.jupyter(value(sample)));
      }
      return true;
    }

    private void device(SignalKind kind, MetricSample sample) {
      String model = sample.labels().getOrDefault(Labels.MODEL_NAME, "");
      PodLabelNames.device(sample.labels(), uuid)
          .ifPresent(
              device ->
                  limits
                      .ofDevice(kind, device.toString(), model, sample.value())
                      .ifPresent(signal -> aggregator.signal(device, signal)));
    }

    /** NaN for a signal that is no longer reported. */
    private static double value(MetricSample sample) {
      return sample.labels().containsKey(SignalQueries.LOST) ? Double.NaN : sample.value();
    }

    private void pod(MetricSample sample, Signal signal) {
      podName(sample).ifPresent(pod -> aggregator.signal(pod, signal));
    }
  }

  /**
   * Guard against a Prometheus whose clock was set back, which has samples from the future. What it
   * stored for that time is older than it says, and it refuses new samples as out of order. So
   * nothing is known of a device until that time has passed, and nothing about that time ever. Safe
   * for any thread.
   */
  public static final class ClockRollbackGuard {
    /** The kind of the samples of {@link #query}. */
    public static final String AHEAD = "ahead";

    /**
     * The longest gap between two samples of one observation; newer samples are from the future.
     */
    private static final String TOLERATED_SECONDS = "120";

    /** As far as a Prometheus looks back. */
    private static final String OFFSET = "-5m";

    private static final Duration REMEMBERED = Duration.ofDays(30);

    private final Map<PodDevice, Instant> until = new ConcurrentHashMap<>();

    /** The time of the newest sample of the series, if it is from the future. */
    public static String query(String selector) {
      return "(timestamp("
          + selector
          + " offset "
          + OFFSET
          + ") > time() + "
          + TOLERATED_SECONDS
          + ")";
    }

    /** Takes a sample of that query; one without a pod's device concerns no pod. */
    void ahead(MetricSample sample, PodLabelNames labels) {
      labels
          .podDevice(sample.labels())
          .ifPresent(
              device ->
                  until.merge(
                      device,
                      sample.valueAsInstant(),
                      (one, other) -> one.isAfter(other) ? one : other));
    }

    /** Discards what is not known because of a rollback. */
    void restrict(PodActivityAggregator aggregator, Instant at) {
      until.values().removeIf(time -> time.isBefore(at.minus(REMEMBERED)));
      until.forEach((device, time) -> aggregator.knownSince(device, time, at));
    }
  }
}
