package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks a Prometheus, or what speaks like one, who used which GPU. Safe for any thread.
 *
 * <p>A look at all pods is at most five instant queries: the evidence, two for signals, and two
 * when it has to find out in which form the evidence is there. Any answer that is not wholly as it
 * should be is {@link Observation.Blind}; an answer without series is not: it is complete, and says
 * nothing of any pod.
 */
public final class PrometheusSource implements ActivitySource {
  private static final long LARGEST_ANSWER_BYTES = 512L * 1024 * 1024;
  private static final Duration PROBE_AGAIN_AFTER = Duration.ofMinutes(10);

  private final Inquiry inquiry;
  private final Options options;
  private final Clock clock;
  private final AtomicReference<Known> known;

  /**
   * The form that is asked for.
   *
   * @param probedAt when that was found out; null while it is only supposed
   */
  private record Known(Form form, @Nullable Instant probedAt) {}

  /** Asks our own agents' records, and nothing besides. */
  public PrometheusSource(PrometheusConnection connection, Clock clock) {
    this(connection, clock, Options.ledgerOnly());
  }

  /**
   * @param clock for the time of an answer that has no samples, and so tells none itself
   */
  public PrometheusSource(PrometheusConnection connection, Clock clock, Options options) {
    this(connection, clock, options, LARGEST_ANSWER_BYTES);
  }

  PrometheusSource(PrometheusConnection connection, Clock clock, long largestAnswerBytes) {
    this(connection, clock, Options.ledgerOnly(), largestAnswerBytes);
  }

  private PrometheusSource(
      PrometheusConnection connection, Clock clock, Options options, long largestAnswerBytes) {
    var client = new QueryClient(connection, largestAnswerBytes);
    this.inquiry = new Inquiry(client, clock, options.signals());
    this.options = options;
    this.clock = clock;
    this.known = new AtomicReference<>(new Known(supposed(options), null));
  }

  @Override
  public Observation fetchAll() {
    return switch (inquiry.evidence(known.get().form())) {
      case Inquiry.Looked.Failed(Blind blind) -> blind;
      case Inquiry.Looked.Done(FormLook look) ->
          hasToProbe(look) ? probe(look) : inquiry.completed(look);
    };
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    return inquiry.onePod(known.get().form(), pod);
  }

  private static Form supposed(Options options) {
    return options
        .form()
        .filter("rules"::equals)
        .<Form>map(_ -> new Form.Rules())
        .orElseGet(Form.Ledger::new);
  }

  private boolean hasToProbe(FormLook look) {
    if (options.form().filter(form -> !form.equals("series")).isPresent()) {
      return false;
    }
    Instant probedAt = known.get().probedAt();
    return look.seesNobody()
        || isUnwanted(look)
        || (probedAt != null
            && Duration.between(probedAt, clock.instant()).compareTo(PROBE_AGAIN_AFTER) >= 0);
  }

  /** The series cannot be asked for before their labels are known, so the ledger was. */
  private boolean isUnwanted(FormLook look) {
    return options.form().isPresent() && !(look.form() instanceof Form.Series);
  }

  private Observation probe(FormLook look) {
    return switch (inquiry.probe(options)) {
      case Inquiry.Probed.Failed(Blind blind) -> blind;
      case Inquiry.Probed.Done(Probe.Outcome.Nothing()) ->
          isUnwanted(look) && !look.seesNobody()
              ? new Blind("expected the form series, which prometheus.form asks for, found none")
              : inquiry.completed(look);
      case Inquiry.Probed.Done(Probe.Outcome.Found(Form found)) -> goBy(found, look);
      case Inquiry.Probed.Done(Probe.Outcome.Unsure(String why)) ->
          new Blind("it cannot be told for sure which pod holds which GPU: " + why);
    };
  }

  private Observation goBy(Form found, FormLook look) {
    known.set(new Known(found, clock.instant()));
    if (found.equals(look.form())) {
      return inquiry.completed(look);
    }
    return switch (inquiry.evidence(found)) {
      case Inquiry.Looked.Failed(Blind blind) -> blind;
      case Inquiry.Looked.Done(FormLook other) -> inquiry.completed(other);
    };
  }
}
