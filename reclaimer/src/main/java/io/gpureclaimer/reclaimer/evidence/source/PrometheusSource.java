package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.Detection;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.ProbeResult;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats.Options;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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

  private final EvidenceFetcher fetcher;
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
    this.fetcher =
        new EvidenceFetcher(
            new QueryClient(connection, largestAnswerBytes), clock, options.signals());
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
    return hasToProbe(reader) ? probe(reader) : fetcher.completed(reader);
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    return fetcher.onePod(detected.get().format(), pod);
  }

  private boolean hasToProbe(EvidenceReader reader) {
    if (formats.isFixed()) {
      return false;
    }
    Instant probedAt = detected.get().probedAt();
    return reader.isEmpty()
        || formats.wantedInsteadOf(reader.format()).isPresent()
        || (probedAt != null
            && Duration.between(probedAt, clock.instant()).compareTo(PROBE_AGAIN_AFTER) >= 0);
  }

  private Observation probe(EvidenceReader reader) {
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
              .orElseGet(() -> fetcher.completed(reader));
      case Detection.Found(EvidenceFormat format) -> use(format, reader);
      case Detection.Ambiguous(String why) ->
          new Blind("it cannot be told for sure which pod holds which GPU: " + why);
    };
  }

  private static Blind unwanted(String wanted, EvidenceFormat found) {
    return new Blind(
        "expected the evidence format "
            + wanted
            + ", which prometheus.form asks for, found only "
            + found.name().code());
  }

  private Observation use(EvidenceFormat format, EvidenceReader reader) {
    detected.set(new Detected(format, clock.instant()));
    if (format.equals(reader.format())) {
      return fetcher.completed(reader);
    }
    EvidenceReader other = fetcher.reader(format);
    return fetcher
        .evidence(other)
        .<Observation>map(blind -> blind)
        .orElseGet(() -> fetcher.completed(other));
  }
}
