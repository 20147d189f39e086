package io.gpureclaimer.reclaimer.policy;

import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues.PolicyLayers;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says of annotations what the judge would say, before they are in a cluster. */
public final class Lint {
  private static final String OURS =
      "must not be written by people; the reclaimer keeps its warnings here";

  /**
   * Something that has annotations.
   *
   * @param namespace where it lives; of a namespace, its own name
   * @param name for messages, for example {@code pod ml/train-0}
   * @param labels its labels, as far as they are known
   */
  public record AnnotatedObject(
      AnnotatedKind place,
      String namespace,
      String name,
      Map<String, String> annotations,
      Map<String, String> labels) {
    public AnnotatedObject {
      annotations = Map.copyOf(annotations);
      labels = Map.copyOf(labels);
    }
  }

  private final PolicyDefaults defaults;
  private final Instant now;
  private final Map<String, AnnotationValues> namespaces;

  /**
   * What a namespace allows is known only of namespaces that are among the subjects.
   *
   * @param all the objects of one check
   */
  public Lint(PolicyDefaults defaults, Instant now, List<AnnotatedObject> all) {
    this.defaults = defaults;
    this.now = now;
    this.namespaces =
        all.stream()
            .filter(subject -> subject.place() == AnnotatedKind.NAMESPACE)
            .collect(
                Collectors.toUnmodifiableMap(
                    AnnotatedObject::namespace, Lint::annotationsOf, (first, _) -> first));
  }

  /** What of this subject does not hold as it is written. */
  public List<Remark> of(AnnotatedObject subject) {
    AnnotationValues annotations = annotationsOf(subject);
    Stream<Remark> read =
        Optional.ofNullable(namespaces.get(subject.namespace()))
            .map(above -> resolved(subject, annotations, above).filter(about(subject)))
            .orElseGet(
                () ->
                    Stream.of(
                            annotations.notUnderstood().stream()
                                .filter(Predicate.not(defaults.vetoSettings()::ignores)),
                            ReceiverNames.strangers(annotations, defaults).stream(),
                            defaults
                                .checkpoints()
                                .ignored(annotations, subject.namespace())
                                .stream())
                        .flatMap(Function.identity()));
    return Stream.of(read, written(subject), misplaced(subject))
        .flatMap(Function.identity())
        .toList();
  }

  private Stream<Remark> resolved(
      AnnotatedObject subject, AnnotationValues annotations, AnnotationValues namespace) {
    List<AnnotationValues> near =
        subject.place() == AnnotatedKind.NAMESPACE ? List.of() : List.of(annotations);
    return PolicyResolution.of(defaults, new PolicyLayers(near, namespace), now).remarks().stream();
  }

  private static Predicate<Remark> about(AnnotatedObject subject) {
    return remark -> remark.object().equals(subject.name());
  }

  private static Stream<Remark> written(AnnotatedObject subject) {
    return PolicyKeys.STATE.stream()
        .filter(subject.annotations()::containsKey)
        .map(
            key ->
                new Remark(subject.name(), key, subject.annotations().getOrDefault(key, ""), OURS));
  }

  /** Who writes them believes to be protected, maybe. */
  private static Stream<Remark> misplaced(AnnotatedObject subject) {
    return subject.labels().entrySet().stream()
        .filter(label -> label.getKey().startsWith(Annotations.PREFIX))
        .sorted(Map.Entry.comparingByKey())
        .map(
            label -> new Remark(subject.name(), label.getKey(), label.getValue(), Remark.NO_LABEL));
  }

  private static AnnotationValues annotationsOf(AnnotatedObject subject) {
    return AnnotationReader.read(subject.name(), subject.place(), subject.annotations());
  }
}
