package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.PodName;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The questions about the past, which are those of a look, and who the pods were. */
final class PastQueries {
  private static final String EXPORTED_NAMESPACE = PodLabels.Style.EXPORTED.namespace();
  private static final String EXPORTED_POD = PodLabels.Style.EXPORTED.pod();

  private PastQueries() {}

  /**
   * About everybody, or about the GPUs that were in the hands of some namespaces: whoever else held
   * one of these is told of, too, because it matters whether a GPU is shared.
   */
  static String evidence(Form form, Collection<String> namespaces) {
    String everybody = FormQueries.everyPodByName(form);
    return namespaces.isEmpty()
        ? everybody
        : "("
            + everybody
            + ") and on ("
            + FormQueries.uuid(form)
            + ") ("
            + held(form, namespaces)
            + ")";
  }

  private static String held(Form form, Collection<String> namespaces) {
    return switch (form) {
      case Form.Ledger() ->
          named(List.of(LedgerMetrics.OBSERVED_UNTIL), namespaces)
              // Counts of devices are of no GPU, and there are few of them: all may come.
              + " or "
              + Promql.select(List.of(LedgerMetrics.DEVICE_COUNT), "");
      case Form.Rules() -> named(List.of(RuleSamples.SAMPLED), namespaces);
      case Form.Series(var labels, var signs) ->
          Promql.select(
              signs.stream().map(ActivitySign::metric).toList(),
              Promql.oneOf(labels.style().namespace(), namespaces));
    };
  }

  private static String named(List<String> names, Collection<String> namespaces) {
    String plain = Promql.oneOf(Labels.NAMESPACE, namespaces);
    return Promql.select(names, plain + "," + Promql.equal(EXPORTED_NAMESPACE, ""))
        + " or "
        + Promql.select(names, Promql.oneOf(EXPORTED_NAMESPACE, namespaces));
  }

  /** The labels by which a pod's name is found, besides those that the form is read by. */
  static Set<String> labels(Form form) {
    Set<String> labels = new HashSet<>(FormQueries.labels(form));
    labels.addAll(
        List.of(Labels.NAMESPACE, Labels.POD, EXPORTED_NAMESPACE, EXPORTED_POD, Labels.POD_UID));
    return labels;
  }

  /** The UID of the series' pod, if it is told. */
  static Optional<String> uid(Form form, Map<String, String> labels) {
    String label =
        form instanceof Form.Series(PodLabels(_, var uid), _)
            ? uid.orElse(Labels.POD_UID)
            : Labels.POD_UID;
    return Optional.ofNullable(labels.get(label)).filter(value -> !value.isBlank());
  }

  /** The name of the series' pod, if it is told. */
  static Optional<PodName> name(Form form, Map<String, String> labels) {
    Optional<String> namespace;
    Optional<String> pod;
    if (form instanceof Form.Series(PodLabels(var style, _), _)) {
      namespace = first(labels, style.namespace());
      pod = first(labels, style.pod());
    } else {
      namespace = first(labels, EXPORTED_NAMESPACE, Labels.NAMESPACE);
      pod = first(labels, EXPORTED_POD, Labels.POD);
    }
    return namespace.flatMap(space -> pod.map(name -> new PodName(space, name)));
  }

  private static Optional<String> first(Map<String, String> labels, String... names) {
    return Stream.of(names)
        .flatMap(name -> Optional.ofNullable(labels.get(name)).stream())
        .filter(value -> !value.isBlank())
        .findFirst();
  }
}
