package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.PodLabelNames;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.format.SignalQueries;
import io.gpureclaimer.reclaimer.evidence.prometheus.AnswerStore;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import io.gpureclaimer.reclaimer.evidence.source.RangeReplayer.QueryKind;
import io.gpureclaimer.reclaimer.evidence.source.RangeReplayer.RangeSamples;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Evidence of the past, from a Prometheus: the queries of a fetch as range queries, read by the
 * readers of a fetch. It queries one slice of the range after the other, each as long as its answer
 * fits into memory. Confined to one thread.
 */
public final class PrometheusHistory {
  private static final long LARGEST_ANSWER_BYTES = 512L * 1024 * 1024;

  /** A sample is 16 bytes of memory. */
  private static final long MOST_SAMPLES = 3_000_000;

  /** How many series there are of one device, about. */
  private static final long SERIES_OF_A_DEVICE = 7;

  private static final int PROBES = 15;

  /**
   * A Prometheus answers at most 11000 steps, and the more there are the longer it needs for each.
   * 60 to 120 are cheapest.
   */
  private static final long MOST_STEPS = 120;

  private static final String TOO_MUCH_FOR_THE_SERVER = "too many samples";

  private final QueryClient client;
  private final Options options;
  private final SignalQueries signals;
  private final Collection<String> namespaces;
  private final long mostSamples;

  /**
   * @param namespaces whose GPUs are evaluated; empty for all
   */
  public PrometheusHistory(
      PrometheusConnection connection, Options options, Collection<String> namespaces) {
    this(connection, options, namespaces, Optional.empty());
  }

  /**
   * A history that can be continued.
   *
   * @param store keeps the answers; those in it are not asked for again
   */
  public PrometheusHistory(
      PrometheusConnection connection,
      Options options,
      Collection<String> namespaces,
      Optional<AnswerStore> store) {
    this(
        new QueryClient(connection, LARGEST_ANSWER_BYTES, store),
        options,
        namespaces,
        MOST_SAMPLES);
  }

  PrometheusHistory(
      PrometheusConnection connection,
      Options options,
      Collection<String> namespaces,
      long mostSamples) {
    this(new QueryClient(connection, LARGEST_ANSWER_BYTES), options, namespaces, mostSamples);
  }

  private PrometheusHistory(
      QueryClient client, Options options, Collection<String> namespaces, long mostSamples) {
    this.client = client;
    this.options = options;
    this.signals = new SignalQueries(options.signals());
    this.namespaces = Set.copyOf(namespaces);
    this.mostSamples = mostSamples;
  }

  /** Result of a replay. */
  public sealed interface Replayed {

    /** All observations were handed on. */
    record Complete(FormatName format) implements Replayed {}

    /** No complete answer; observations that were handed on before count for nothing. */
    record Unusable(String reason) implements Replayed {}

    /**
     * The step is too long for the format; no observation was handed on.
     *
     * @param longest that it may be
     */
    record StepTooLong(String rule, Duration longest) implements Replayed {}
  }

  /** Result of the queries of one slice. */
  private sealed interface Sliced {
    record Answered(TimeRange slice, Map<QueryKind, RangeSamples> samples) implements Sliced {}

    record TooLong() implements Sliced {}

    record Failed(String reason) implements Sliced {}
  }

  /**
   * Hands on every observation of the range, in their order.
   *
   * @param into takes empty observations, too
   */
  public Replayed replay(TimeRange range, Consumer<HistoricalObservation> into) {
    var formats = new EvidenceFormats(options);
    var probe = new ProbeResult();
    return switch (client.query(
        formats.probe(),
        range.across(PROBES),
        ProbeResult.labels(),
        series -> series.forEach(probe::accept))) {
      case QueryAnswer.Unusable unusable -> new Replayed.Unusable(text(unusable));
      case QueryAnswer.Complete() ->
          switch (formats.detect(probe)) {
            case Detection.Found(var format) -> replay(format, probe.largest(), range, into);
            // A probe of a few moments may have missed what is there for a short time only.
            case Detection.Absent() -> replay(formats.undetected(), 0, range, into);
            case Detection.Ambiguous(String why) ->
                new Replayed.Unusable("the pod of a GPU is ambiguous: " + why);
          };
    };
  }

  private Replayed replay(
      EvidenceFormat format, long devices, TimeRange range, Consumer<HistoricalObservation> into) {
    if (format.longestStep().filter(longest -> range.step().compareTo(longest) > 0).isPresent()) {
      return new Replayed.StepTooLong(
          "the step must be at most "
              + format.longestStep().orElseThrow().toSeconds()
              + "s where there are no records of agents, because the clocks over series of other"
              + " exporters start again after a longer gap, was "
              + range.step().toSeconds()
              + "s",
          format.longestStep().orElseThrow());
    }
    long steps = Math.clamp(mostSamples / (1 + devices * SERIES_OF_A_DEVICE), 1, MOST_STEPS);
    var continuity = new ContinuityCheck();
    boolean hasClocksOfItsOwn = format.longestStep().isPresent();
    var replayer =
        new RangeReplayer(
            format, options.signals(), hasClocksOfItsOwn ? into.andThen(continuity::check) : into);
    for (long number = 1; number <= range.steps(); ) {
      TimeRange next = range.slice(number, steps);
      switch (query(format, next)) {
        case Sliced.Answered(var slice, var samples) -> {
          replayer.replay(slice, samples);
          number += slice.steps();
        }
        case Sliced.TooLong() when next.steps() > 1 -> steps = (next.steps() + 1) / 2;
        case Sliced.TooLong() -> {
          return new Replayed.Unusable(
              "one look alone is more than "
                  + mostSamples
                  + " samples, or more than the Prometheus allows: name some namespaces");
        }
        case Sliced.Failed(String reason) -> {
          return new Replayed.Unusable(reason);
        }
      }
    }
    return continuity
        .problem()
        .<Replayed>map(Replayed.Unusable::new)
        .orElseGet(() -> new Replayed.Complete(format.name()));
  }

  private Sliced query(EvidenceFormat format, TimeRange slice) {
    Map<QueryKind, RangeSamples> samples = new EnumMap<>(QueryKind.class);
    for (QueryKind kind : QueryKind.values()) {
      Optional<String> query = query(kind, format);
      if (query.isEmpty() || isSuperfluous(kind, samples)) {
        continue;
      }
      var answer = new RangeSamples(mostSamples);
      switch (client.query(query.get(), slice, labels(kind, format), answer::accept)) {
        case QueryAnswer.Unusable unusable when isTooMuch(unusable) -> {
          return new Sliced.TooLong();
        }
        case QueryAnswer.Unusable unusable -> {
          return new Sliced.Failed(text(unusable));
        }
        case QueryAnswer.Complete() -> {
          if (answer.isTooMuch()) {
            return new Sliced.TooLong();
          }
          samples.put(kind, answer);
        }
      }
    }
    return new Sliced.Answered(slice, samples);
  }

  /** The address that is queried; it holds no credentials. */
  public String address() {
    return client.rangeUri().toString();
  }

  /** How many slices a range has, unless answers are too long. */
  public static long slices(TimeRange range) {
    return Math.ceilDiv(range.steps(), MOST_STEPS);
  }

  /** Whether a shorter slice may be answered. */
  static boolean isTooMuch(QueryAnswer.Unusable answer) {
    return answer.found().contains(TOO_MUCH_FOR_THE_SERVER);
  }

  /** Where no pod held a GPU, signals do not matter. */
  private static boolean isSuperfluous(QueryKind kind, Map<QueryKind, RangeSamples> samples) {
    return kind != QueryKind.EVIDENCE
        && Optional.ofNullable(samples.get(QueryKind.EVIDENCE)).stream()
            .allMatch(evidence -> evidence.count() == 0);
  }

  private Optional<String> query(QueryKind kind, EvidenceFormat format) {
    String uuid = format.labels().uuid();
    return switch (kind) {
      case EVIDENCE -> Optional.of(evidence(format, uuid));
      case SIGNALS_OF_DEVICES -> signals.ofDevices(uuid, Optional.empty());
      case SIGNALS_OF_PODS -> signals.ofPods(Optional.empty());
    };
  }

  /**
   * Evidence of all pods, or of all pods on the GPUs that those of some namespaces held: it matters
   * whether a GPU is shared.
   */
  private String evidence(EvidenceFormat format, String uuid) {
    return namespaces.isEmpty()
        ? format.pastPods()
        : "("
            + format.pastPods()
            + ") and on ("
            + uuid
            + ") ("
            + format.devicesOf(namespaces)
            + ")";
  }

  private static Set<String> labels(QueryKind kind, EvidenceFormat format) {
    if (kind != QueryKind.EVIDENCE) {
      return EvidenceReader.signalLabels(format);
    }
    Set<String> labels = EvidenceReader.evidenceLabels(format);
    labels.addAll(PodLabelNames.NAMES);
    return labels;
  }

  private String text(QueryAnswer.Unusable answer) {
    return "POST "
        + client.rangeUri()
        + ": expected "
        + answer.expected()
        + ", found "
        + answer.found();
  }
}
