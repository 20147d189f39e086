package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.core.vocabulary.ActivitySign;
import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.reclaimer.activity.PodActivity;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The questions to ask of each form. */
final class FormQueries {
  private static final List<String> EVERY_AGENT = List.of("gpu_exporter_build_info");

  private FormQueries() {}

  /** About every pod. What is small comes first, because each {@code or} goes through its left. */
  static String everyPod(Form form) {
    List<String> names =
        switch (form) {
          case Form.Ledger() -> EVERY_AGENT;
          case Form.Rules(), Form.Series _ -> ActivitySign.BASE;
        };
    return HealthSamples.query(names) + " or " + evidence(form);
  }

  /** About every pod, and nothing about the health of who answers. */
  static String evidence(Form form) {
    return switch (form) {
      case Form.Ledger() -> Queries.everyPod();
      case Form.Rules() -> Promql.select(RuleSamples.NAMES, "");
      case Form.Series(var labels, var signs) -> series(labels, signs, labels.style().matcher());
    };
  }

  /** About one pod; empty if it cannot be asked for, as its name is not known. */
  static Optional<String> onePod(Form form, PodActivity pod) {
    return switch (form) {
      case Form.Ledger() -> Optional.of(Queries.onePod(pod));
      case Form.Rules() -> Optional.of(rules(pod) + utilization(pod));
      case Form.Series(var labels, var signs) ->
          matcher(labels, pod)
              .map(which -> series(labels, signs, labels.style().matcher() + "," + which));
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

  private static String series(PodLabels labels, Collection<ActivitySign> signs, String matchers) {
    return Promql.kind(
            SeriesSamples.ACTIVITY, Sign.activity(signs, matchers, labels.all(), Clocks.WINDOW))
        + " or "
        + Promql.kind(Queries.SAMPLED_AT, Sign.sampled(signs, matchers, labels.all()));
  }

  private static String rules(PodActivity pod) {
    String byUid = Promql.select(RuleSamples.NAMES, Promql.equal(Labels.POD_UID, pod.uid()));
    return pod.name()
        .map(name -> PodLabels.canonical().matcher(name) + "," + Labels.POD_UID + "=\"\"")
        .map(byName -> byUid + " or " + Promql.select(RuleSamples.NAMES, byName))
        .orElse(byUid);
  }

  private static String utilization(PodActivity pod) {
    Set<String> gpus = Queries.gpus(pod);
    return gpus.isEmpty() ? "" : " or " + Queries.utilization(gpus, Labels.UUID);
  }

  private static Optional<String> matcher(PodLabels labels, PodActivity pod) {
    return labels
        .uid()
        .map(uid -> Promql.equal(uid, pod.uid()))
        .or(() -> pod.name().map(labels::matcher));
  }
}
