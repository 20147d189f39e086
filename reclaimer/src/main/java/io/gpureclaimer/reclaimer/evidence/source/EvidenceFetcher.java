package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.FetchScope;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceReader;
import io.gpureclaimer.reclaimer.evidence.format.SignalQueries;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs the queries of one format and reads the answers. Safe for any thread. */
final class EvidenceFetcher {
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
    Set<String> labels = EvidenceReader.signalLabels(evidence.format());
    return signals
        .ofDevices(evidence.format().labels().uuid(), Optional.empty())
        .flatMap(query -> query(query, labels, evidence::signal))
        .or(
            () ->
                signals
                    .ofPods(Optional.empty())
                    .flatMap(query -> query(query, labels, evidence::signal)))
        .<Observation>map(blind -> blind)
        .orElseGet(() -> evidence.observation(FetchScope.ALL_PODS, clock));
  }

  /** Fetches evidence and signals of one pod. */
  Observation onePod(EvidenceFormat format, PodActivity pod) {
    List<String> evidence = format.onePod(pod);
    if (evidence.isEmpty()) {
      return new Blind("pod " + pod.uid() + " cannot be queried: its name is not known");
    }
    EvidenceReader reader = reader(format);
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
    return switch (client.query(query, labels, into)) {
      case QueryAnswer.Complete() -> Optional.empty();
      case QueryAnswer.Unusable(var expected, var found) ->
          Optional.of(
              new Blind("POST " + client.uri() + ": expected " + expected + ", found " + found));
    };
  }
}
