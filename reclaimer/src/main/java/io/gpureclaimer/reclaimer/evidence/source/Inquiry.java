package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.Answer;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Puts the questions of one form, and what the answers say together. Safe for any thread. */
final class Inquiry {
  private final QueryClient client;
  private final Clock clock;
  private final SignalLimits signals;
  private final SignalQueries questions;
  private final Clocks clocks = new Clocks();
  private final Relived relived = new Relived();

  Inquiry(QueryClient client, Clock clock, SignalLimits signals) {
    this.client = client;
    this.clock = clock;
    this.signals = signals;
    this.questions = new SignalQueries(signals);
  }

  /** How a probe turned out. */
  sealed interface Probed {

    /** There is an answer. */
    record Done(Probe.Outcome outcome) implements Probed {}

    /** There is none. */
    record Failed(Blind blind) implements Probed {}
  }

  Probed probe(Options options) {
    var probe = new Probe();
    return switch (client.ask(ProbeQuery.text(), ProbeQuery.labels(), probe::accept)) {
      case Answer.Complete() -> new Probed.Done(probe.outcome(options.form(), options.style()));
      case Answer.Unusable unusable -> new Probed.Failed(blind(unusable));
    };
  }

  /** How a look at the evidence turned out. */
  sealed interface Looked {

    /** It is there. */
    record Done(FormLook look) implements Looked {}

    /** It is not. */
    record Failed(Blind blind) implements Looked {}
  }

  /** Asks for the evidence of every pod. */
  Looked evidence(Form form) {
    var look = new FormLook(form, new HealthSamples(), signals, relived);
    return ask(FormQueries.everyPod(form), look.evidence())
        .<Looked>map(unusable -> new Looked.Failed(blind(unusable)))
        .orElseGet(() -> new Looked.Done(look));
  }

  /** Asks for the signals besides, and says what all that comes to. */
  Observation completed(FormLook look) {
    String uuid = FormQueries.uuid(look.form());
    return questions
        .ofDevices(uuid, Optional.empty())
        .flatMap(query -> ask(query, look.signals()))
        .or(() -> questions.ofPods(Optional.empty()).flatMap(query -> ask(query, look.signals())))
        .<Observation>map(this::blind)
        .orElseGet(() -> look.seen(clocks::advance, false, clock));
  }

  Observation onePod(Form form, PodActivity pod) {
    List<String> evidence = FormQueries.onePod(form, pod);
    if (evidence.isEmpty()) {
      return new Blind("pod " + pod.uid() + " cannot be asked for: its name is not known");
    }
    var look = new FormLook(form, new HealthSamples(), signals, relived);
    Sorting everything = look.everything();
    List<String> vectors = Stream.concat(evidence.stream(), signals(form, pod)).toList();
    for (String query : Promql.questions(vectors)) {
      Optional<Answer.Unusable> unusable = ask(query, everything);
      if (unusable.isPresent()) {
        return blind(unusable.get());
      }
    }
    return look.seen(clocks::advanced, true, clock);
  }

  private Stream<String> signals(Form form, PodActivity pod) {
    String uuid = FormQueries.uuid(form);
    Stream<String> ofDevices =
        Queries.someGpus(pod)
            .flatMap(gpus -> questions.ofDevices(uuid, Optional.of(gpus)).stream());
    return Stream.concat(
        ofDevices, pod.name().flatMap(name -> questions.ofPods(Optional.of(name))).stream());
  }

  private Optional<Answer.Unusable> ask(String query, Sorting sorting) {
    return switch (client.ask(query, sorting.labels(), sorting)) {
      case Answer.Complete() -> Optional.empty();
      case Answer.Unusable unusable -> Optional.of(unusable);
    };
  }

  private Blind blind(Answer.Unusable answer) {
    return new Blind(
        "POST " + client.uri() + ": expected " + answer.expected() + ", found " + answer.found());
  }
}
