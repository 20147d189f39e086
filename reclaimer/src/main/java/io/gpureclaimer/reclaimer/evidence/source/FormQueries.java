package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The questions to ask of each form. */
final class FormQueries {
  private FormQueries() {}

  /** About every pod. What is small comes first, because each {@code or} goes through its left. */
  static String everyPod(Form form) {
    return switch (form) {
      case Form.Ledger() -> together(Queries.everyPod());
      case Form.Rules() ->
          together(
              List.of(
                  Promql.kind(Relived.AHEAD, Relived.question(RuleSamples.SAMPLED)),
                  Promql.select(RuleSamples.NAMES, "")));
      case Form.Series(var labels, var signs) ->
          together(
              Stream.concat(
                      Stream.of(ahead(labels, signs)),
                      series(labels, signs, labels.style().matcher()).stream())
                  .toList());
    };
  }

  /** About every pod, with its name, and nothing about the health of who answers. */
  static String everyPodByName(Form form) {
    return switch (form) {
      case Form.Ledger() -> Queries.everyPodByName();
      case Form.Rules() -> Promql.select(RuleSamples.NAMES, "");
      case Form.Series(var labels, var signs) ->
          Promql.together(series(labels, signs, labels.style().matcher()).stream());
    };
  }

  private static String together(List<String> evidence) {
    return Promql.together(Stream.concat(Stream.of(HealthSamples.QUERY), evidence.stream()));
  }

  /** About one pod; none if it cannot be asked for, as its name is not known. */
  static List<String> onePod(Form form, PodActivity pod) {
    return switch (form) {
      case Form.Ledger() -> Queries.onePod(pod);
      case Form.Rules() -> Stream.concat(Stream.of(rules(pod)), Queries.utilizations(pod)).toList();
      case Form.Series(var labels, var signs) ->
          matcher(labels, pod)
              .map(which -> labels.style().matcher() + "," + which)
              .map(which -> Promql.together(series(labels, signs, which).stream()))
              .stream()
              .toList();
    };
  }

  /** The labels of what rests on the times of samples, and on no clock but the Prometheus's. */
  static Optional<PodLabels> podLabels(Form form) {
    return switch (form) {
      case Form.Ledger() -> Optional.empty();
      case Form.Rules() -> Optional.of(PodLabels.canonical());
      case Form.Series(var labels, _) -> Optional.of(labels);
    };
  }

  /** The labels that the answer is read by. */
  static Set<String> labels(Form form) {
    return switch (form) {
      case Form.Ledger() -> LedgerSamples.LABELS;
      case Form.Rules() -> new HashSet<>(PodLabels.canonical().all());
      case Form.Series(var labels, _) -> new HashSet<>(labels.all());
    };
  }

  /** The label of a GPU's name. */
  static String uuid(Form form) {
    return switch (form) {
      case Form.Ledger(), Form.Rules() -> Labels.UUID;
      case Form.Series(var labels, _) -> labels.uuid();
    };
  }

  private static String ahead(PodLabels labels, Collection<ActivitySign> signs) {
    return Promql.kind(Relived.AHEAD, Sign.ahead(signs, labels.style().matcher(), labels.all()));
  }

  private static List<String> series(
      PodLabels labels, Collection<ActivitySign> signs, String matchers) {
    return List.of(
        Promql.kind(
            SeriesSamples.ACTIVITY, Sign.activity(signs, matchers, labels.all(), Clocks.WINDOW)),
        Promql.kind(Queries.SAMPLED_AT, Sign.sampled(signs, matchers, labels.all())));
  }

  private static String rules(PodActivity pod) {
    String byUid = Promql.select(RuleSamples.NAMES, Promql.equal(Labels.POD_UID, pod.uid()));
    return pod.name()
        .map(name -> PodLabels.canonical().matcher(name) + "," + Labels.POD_UID + "=\"\"")
        .map(byName -> byUid + " or " + Promql.select(RuleSamples.NAMES, byName))
        .orElse(byUid);
  }

  private static Optional<String> matcher(PodLabels labels, PodActivity pod) {
    return labels
        .uid()
        .map(uid -> Promql.equal(uid, pod.uid()))
        .or(() -> pod.name().map(labels::matcher));
  }
}
