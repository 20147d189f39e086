package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.ActivitySource.FetchScope;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.Observation.PodIdentity;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivity.LeftOut;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalKind;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.format.SignalQueries;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Activity source that queries a Prometheus, or a server with the same API. Safe for any thread.
 *
 * <p>A fetch of all pods is at most five instant queries: the evidence, two for signals, and two to
 * detect the format. Any answer that is not complete and well-formed is {@link Observation.Blind};
 * an answer without series is complete, and says nothing of any pod.
 */
public final class PrometheusSource implements ActivitySource {
  private static final long LARGEST_ANSWER_BYTES = 512L * 1024 * 1024;
  private static final Duration PROBE_AGAIN_AFTER = Duration.ofMinutes(10);

  private final QueryClient client;
  private final EvidenceFetcher fetcher;
  private final SelectiveFetcher selective;
  private final int selectiveFrom;
  private final EvidenceFormats formats;
  private final Clock clock;
  private final AtomicReference<Detected> detected;

  /**
   * The format in use.
   *
   * @param probedAt when it was detected; null before
   */
  private record Detected(EvidenceFormat format, @Nullable Instant probedAt) {}

  /** A source of our own agents' records, without signals. */
  public PrometheusSource(PrometheusConnection connection, Clock clock) {
    this(connection, clock, Options.ledgerOnly());
  }

  /**
   * @param clock for the time of an answer without samples
   */
  public PrometheusSource(PrometheusConnection connection, Clock clock, Options options) {
    this(connection, clock, options, LARGEST_ANSWER_BYTES);
  }

  PrometheusSource(PrometheusConnection connection, Clock clock, long largestAnswerBytes) {
    this(connection, clock, Options.ledgerOnly(), largestAnswerBytes);
  }

  private PrometheusSource(
      PrometheusConnection connection, Clock clock, Options options, long largestAnswerBytes) {
    this.client = new QueryClient(connection, largestAnswerBytes);
    this.fetcher = new EvidenceFetcher(client, clock, options.signals());
    this.selective = new SelectiveFetcher(fetcher, clock);
    this.selectiveFrom = options.selectiveFrom();
    this.formats = new EvidenceFormats(options);
    this.clock = clock;
    this.detected = new AtomicReference<>(new Detected(formats.undetected(), null));
  }

  @Override
  public Observation fetchAll() {
    EvidenceReader reader = fetcher.reader(detected.get().format());
    Optional<Blind> blind = fetcher.evidence(reader);
    if (blind.isPresent()) {
      return blind.get();
    }
    return hasToProbe(reader, reader.isEmpty())
        ? probe(reader, () -> fetcher.completed(reader))
        : fetcher.completed(reader);
  }

  @Override
  public Observation fetchAll(Collection<PodIdentity> pods, Map<String, LeftOut> mayLeaveOut) {
    if (pods.size() < selectiveFrom) {
      return fetchAll();
    }
    EvidenceReader reader = fetcher.reader(detected.get().format());
    SelectiveFetcher.Fetch fetch = selective.begin(reader, pods, mayLeaveOut);
    Optional<Blind> blind = fetch.evidence();
    if (blind.isPresent()) {
      return blind.get();
    }
    return hasToProbe(reader, fetch.isEmpty())
        ? probe(reader, fetch::completed)
        : fetch.completed();
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    return fetcher.onePod(detected.get().format(), pod);
  }

  @Override
  public PastActivity fetchPast(List<PodNamePattern> pods, TimeRange range) {
    EvidenceFormat format = detected.get().format();
    return format
        .clockNames()
        .map(clocks -> PastFetch.of(client, clocks, pods, range))
        .orElseGet(
            () ->
                new PastActivity.Unknown(
                    "the evidence format " + format.name().code() + " has no clocks of the past"));
  }

  private boolean hasToProbe(EvidenceReader reader, boolean isEmpty) {
    if (formats.isFixed()) {
      return false;
    }
    Instant probedAt = detected.get().probedAt();
    return isEmpty
        || formats.wantedInsteadOf(reader.format()).isPresent()
        || (probedAt != null
            && Duration.between(probedAt, clock.instant()).compareTo(PROBE_AGAIN_AFTER) >= 0);
  }

  private Observation probe(EvidenceReader reader, Supplier<Observation> completion) {
    var found = new ProbeResult();
    Optional<Blind> blind = fetcher.query(formats.probe(), ProbeResult.labels(), found::accept);
    if (blind.isPresent()) {
      return blind.get();
    }
    return switch (formats.detect(found)) {
      case Detection.Absent() ->
          formats
              .wantedInsteadOf(reader.format())
              .filter(_ -> !reader.isEmpty())
              .<Observation>map(wanted -> unwanted(wanted, reader.format()))
              .orElseGet(completion);
      case Detection.Found(EvidenceFormat format) -> use(format, reader, completion);
      case Detection.Ambiguous(String why) -> new Blind("the pod of a GPU is ambiguous: " + why);
    };
  }

  private static Blind unwanted(String wanted, EvidenceFormat found) {
    return new Blind(
        "expected the evidence format "
            + wanted
            + ", which prometheus.form asks for, found only "
            + found.name().code());
  }

  private Observation use(
      EvidenceFormat format, EvidenceReader reader, Supplier<Observation> completion) {
    detected.set(new Detected(format, clock.instant()));
    if (format.equals(reader.format())) {
      return completion.get();
    }
    EvidenceReader other = fetcher.reader(format);
    return fetcher
        .evidence(other)
        .<Observation>map(blind -> blind)
        .orElseGet(() -> fetcher.completed(other));
  }

  /** Runs the queries of one format and reads the answers. Safe for any thread. */
  static final class EvidenceFetcher {
    private final QueryClient client;
    private final Clock clock;
    private final SignalLimits limits;
    private final SignalQueries signals;
    private final ClockRollbackGuard guard = new ClockRollbackGuard();

    EvidenceFetcher(QueryClient client, Clock clock, SignalLimits limits) {
      this.client = client;
      this.clock = clock;
      this.limits = limits;
      this.signals = new SignalQueries(limits);
    }

    /** A new reader. */
    EvidenceReader reader(EvidenceFormat format) {
      return new EvidenceReader(format, limits, guard);
    }

    /** Fetches the evidence of every pod; the reader counts only without a result. */
    Optional<Blind> evidence(EvidenceReader into) {
      return query(
          allPods(into.format()), EvidenceReader.evidenceLabels(into.format()), into::evidence);
    }

    static String allPods(EvidenceFormat format) {
      return PromQl.together(
          Stream.concat(Stream.of(EvidenceReader.START_QUERY), format.allPods().stream()));
    }

    /** Fetches the signals of every pod in addition, and returns the observation. */
    Observation completed(EvidenceReader evidence) {
      return signals(evidence)
          .<Observation>map(blind -> blind)
          .orElseGet(() -> evidence.observation(FetchScope.ALL_PODS, clock));
    }

    /** Fetches the signals of every pod; the reader counts only without a result. */
    Optional<Blind> signals(EvidenceReader evidence) {
      Set<String> labels = EvidenceReader.signalLabels(evidence.format());
      return signals
          .ofDevices(
              evidence.format().labels().uuid(), Optional.empty(), boardSignalsToQuery(evidence))
          .flatMap(query -> query(query, labels, evidence::signal))
          .or(
              () ->
                  signals
                      .ofPods(Optional.empty())
                      .flatMap(query -> query(query, labels, evidence::signal)));
    }

    /** Those that the agent of at least one GPU does not watch. */
    private Set<SignalKind> boardSignalsToQuery(EvidenceReader evidence) {
      return evidence.watchedByAgents().values().stream()
          .map(signals::notWatched)
          .reduce(
              (one, other) ->
                  Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet()))
          .orElseGet(() -> signals.notWatched(Set.of()));
    }

    SignalQueries signalQueries() {
      return signals;
    }

    /** Fetches evidence and signals of one pod. */
    Observation onePod(EvidenceFormat format, PodActivity pod) {
      List<String> evidence = format.onePod(pod);
      if (evidence.isEmpty()) {
        return new Blind("pod " + pod.uid() + " cannot be queried: its name is not known");
      }
      EvidenceReader reader = reader(format);
      reader.earlier(pod);
      Set<String> labels = new HashSet<>(EvidenceReader.evidenceLabels(format));
      labels.addAll(EvidenceReader.signalLabels(format));
      List<String> vectors =
          Stream.concat(evidence.stream(), signals(format.labels().uuid(), pod)).toList();
      for (String query : PromQl.queries(vectors)) {
        Optional<Blind> blind = query(query, labels, reader::evidenceOrSignal);
        if (blind.isPresent()) {
          return blind.get();
        }
      }
      return reader.observation(FetchScope.ONE_POD, clock);
    }

    private Stream<String> signals(String uuid, PodActivity pod) {
      return Stream.concat(
          ActivityQueries.gpus(pod)
              .flatMap(gpus -> signals.ofDevices(uuid, Optional.of(gpus)).stream()),
          pod.name().flatMap(name -> signals.ofPods(Optional.of(name))).stream());
    }

    /** Runs one query; the result says why its samples count for nothing. */
    Optional<Blind> query(String query, Set<String> labels, Consumer<MetricSample> into) {
      return switch (answer(query, Optional.empty(), labels, into)) {
        case QueryAnswer.Complete() -> Optional.empty();
        case QueryAnswer.Unusable unusable -> Optional.of(blind(unusable));
      };
    }

    /**
     * Runs one query about a moment.
     *
     * @param at by the server's clock; its own time if empty
     */
    QueryAnswer answer(
        String query, Optional<Instant> at, Set<String> labels, Consumer<MetricSample> into) {
      return client.query(query, at, labels, into);
    }

    Blind blind(QueryAnswer.Unusable answer) {
      return new Blind(
          "POST " + client.uri() + ": expected " + answer.expected() + ", found " + answer.found());
    }
  }
}
