package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.reclaimer.activity.ActivitySource;
import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.activity.Observation.Blind;
import io.gpureclaimer.reclaimer.activity.Observation.Seen;
import io.gpureclaimer.reclaimer.activity.PodActivity;
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
  public Observation lookAtAll() {
    Form form = known.get().form();
    Observation first = inquiry.everyPod(form);
    return first instanceof Seen seen && hasToProbe(seen) ? probe(form, seen) : first;
  }

  @Override
  public Observation lookAgainAt(PodActivity pod) {
    return inquiry.onePod(known.get().form(), pod);
  }

  private static Form supposed(Options options) {
    return options
        .form()
        .filter("rules"::equals)
        .<Form>map(_ -> new Form.Rules())
        .orElseGet(Form.Ledger::new);
  }

  private boolean hasToProbe(Seen seen) {
    if (options.form().filter(form -> !form.equals("series")).isPresent()) {
      return false;
    }
    Known now = known.get();
    boolean empty = seen.pods().isEmpty() && seen.unjoined().pods().isEmpty();
    boolean old =
        now.probedAt() != null
            && Duration.between(now.probedAt(), clock.instant()).compareTo(PROBE_AGAIN_AFTER) >= 0;
    return empty || old;
  }

  private Observation probe(Form form, Seen seen) {
    return switch (inquiry.probe(options)) {
      case Inquiry.Probed.Failed(Blind blind) -> blind;
      case Inquiry.Probed.Done(Probe.Outcome outcome) ->
          switch (outcome) {
            case Probe.Outcome.Nothing() -> seen;
            case Probe.Outcome.Unsure(String found) ->
                new Blind(
                    "it cannot be told for sure which pod holds which GPU: expected one form of"
                        + " evidence, found "
                        + found
                        + "; prometheus.form and prometheus.labels say what to go by");
            case Probe.Outcome.Found(Form found) -> goBy(found, form, seen);
          };
    };
  }

  private Observation goBy(Form found, Form form, Seen seen) {
    known.set(new Known(found, clock.instant()));
    return found.equals(form) ? seen : inquiry.everyPod(found);
  }
}
