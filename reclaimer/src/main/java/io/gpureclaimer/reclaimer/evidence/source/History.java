package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.Observation.PastObservation;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.Answer;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.RangeSeries;
import io.gpureclaimer.reclaimer.evidence.prometheus.Slice;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What looks of the past would have seen: the questions of a look, put about many moments at once,
 * and read by the readers of a look. Asks for one slice of the past after the other, each as long
 * as its answer fits into memory. Confined to one thread.
 */
public final class History {
  private static final long LARGEST_ANSWER_BYTES = 512L * 1024 * 1024;

  /** A sample is 16 bytes of memory. */
  private static final long MOST_SAMPLES = 3_000_000;

  /** How many series there are of one device, about. */
  private static final long SERIES_OF_A_DEVICE = 7;

  private static final int PROBES = 15;
  private static final String TOO_MUCH_FOR_THE_SERVER = "too many samples";

  private final QueryClient client;
  private final Options options;
  private final SignalQueries signals;
  private final Collection<String> namespaces;
  private final long mostSamples;

  /**
   * @param namespaces whose GPUs are looked at; empty for all
   */
  public History(PrometheusConnection connection, Options options, Collection<String> namespaces) {
    this(connection, options, namespaces, MOST_SAMPLES);
  }

  History(
      PrometheusConnection connection,
      Options options,
      Collection<String> namespaces,
      long mostSamples) {
    this.client = new QueryClient(connection, LARGEST_ANSWER_BYTES);
    this.options = options;
    this.signals = new SignalQueries(options.signals());
    this.namespaces = Set.copyOf(namespaces);
    this.mostSamples = mostSamples;
  }

  /** How it turned out. */
  public sealed interface Told {

    /** All looks were told of. */
    record Wholly(FormatName form) implements Told {}

    /** The source does not answer as it should; looks told of before count for nothing. */
    record Unusable(String reason) implements Told {}

    /** It cannot be told with looks so far apart. */
    record TooFarApart(String rule) implements Told {}
  }

  /** What became of one slice. */
  private sealed interface Asked {
    record Answered(Slice slice, Map<Part, SliceSamples> samples) implements Asked {}

    record TooLong() implements Asked {}

    record Failed(String reason) implements Asked {}
  }

  /**
   * Tells of every look of the range, in their order.
   *
   * @param into of a look at which nobody was seen, too
   */
  public Told tell(TimeRange range, Consumer<PastObservation> into) {
    var probe = new Probe();
    Slice across = Slice.across(range, PROBES);
    return switch (client.ask(
        ProbeQuery.text(), across, ProbeQuery.labels(), each -> all(each, probe))) {
      case Answer.Unusable unusable -> new Told.Unusable(text(unusable));
      case Answer.Complete() ->
          switch (probe.outcome(options.form(), options.style())) {
            case Probe.Outcome.Found(Form form) -> tell(form, probe.largest(), range, into);
            case Probe.Outcome.Nothing() -> tell(unprobed(), 0, range, into);
            case Probe.Outcome.Unsure(String why) ->
                new Told.Unusable("it cannot be told for sure which pod held which GPU: " + why);
          };
    };
  }

  private static void all(RangeSeries series, Probe probe) {
    for (int i = 0; i < series.size(); i++) {
      probe.accept(series.sample(i));
    }
  }

  /** A probe of a few moments may have missed what there is only of a short time. */
  private Form unprobed() {
    return options
        .form()
        .filter("rules"::equals)
        .<Form>map(_ -> new Form.Rules())
        .orElseGet(Form.Ledger::new);
  }

  private Told tell(Form form, long devices, TimeRange range, Consumer<PastObservation> into) {
    if (form instanceof Form.Series && range.step().compareTo(Clocks.LONGEST_GAP) > 0) {
      return new Told.TooFarApart(
          "the step must be at most "
              + Clocks.LONGEST_GAP.toSeconds()
              + "s where there are no records of agents, because the clocks over series of other"
              + " exporters begin anew after a longer gap, was "
              + range.step().toSeconds()
              + "s");
    }
    long looks = Math.clamp(mostSamples / (1 + devices * SERIES_OF_A_DEVICE), 1, Slice.MOST_LOOKS);
    var looking = new Looking(form, options.signals(), into);
    for (long number = 1; number <= range.looks(); ) {
      Slice next = Slice.of(range, number, looks);
      switch (ask(form, next)) {
        case Asked.Answered(var slice, var samples) -> {
          looking.at(slice, samples);
          number += slice.looks();
        }
        case Asked.TooLong() when next.looks() > 1 -> looks = (next.looks() + 1) / 2;
        case Asked.TooLong() -> {
          return new Told.Unusable(
              "one look alone is more than "
                  + mostSamples
                  + " samples, or more than the Prometheus allows: name some namespaces");
        }
        case Asked.Failed(String reason) -> {
          return new Told.Unusable(reason);
        }
      }
    }
    return new Told.Wholly(form.told());
  }

  private Asked ask(Form form, Slice slice) {
    Map<Part, SliceSamples> samples = new HashMap<>();
    for (Part part : Part.values()) {
      Optional<String> query = query(part, form);
      if (query.isEmpty() || isAnswered(part, samples)) {
        continue;
      }
      var answer = new SliceSamples(mostSamples);
      switch (client.ask(query.get(), slice, labels(part, form), answer)) {
        case Answer.Unusable(_, var found) when found.contains(TOO_MUCH_FOR_THE_SERVER) -> {
          return new Asked.TooLong();
        }
        case Answer.Unusable unusable -> {
          return new Asked.Failed(text(unusable));
        }
        case Answer.Complete() -> {
          if (answer.isTooMuch()) {
            return new Asked.TooLong();
          }
          samples.put(part, answer);
        }
      }
    }
    return new Asked.Answered(slice, samples);
  }

  /** Where nobody held a GPU, nobody's signals matter. */
  private static boolean isAnswered(Part part, Map<Part, SliceSamples> samples) {
    return part != Part.EVIDENCE
        && Optional.ofNullable(samples.get(Part.EVIDENCE)).stream()
            .allMatch(evidence -> evidence.samples() == 0);
  }

  private Optional<String> query(Part part, Form form) {
    return switch (part) {
      case EVIDENCE -> Optional.of(PastQueries.evidence(form, namespaces));
      case SIGNALS_OF_DEVICES -> signals.ofDevices(FormQueries.uuid(form), Optional.empty());
      case SIGNALS_OF_PODS -> signals.ofPods(Optional.empty());
    };
  }

  private Set<String> labels(Part part, Form form) {
    var look = new FormLook(form, new HealthSamples(), options.signals());
    return switch (part) {
      case EVIDENCE -> look.evidence().reading(PastQueries.labels(form)).labels();
      case SIGNALS_OF_DEVICES, SIGNALS_OF_PODS -> look.signals().labels();
    };
  }

  private String text(Answer.Unusable answer) {
    return "POST "
        + client.rangeUri()
        + ": expected "
        + answer.expected()
        + ", found "
        + answer.found();
  }
}
