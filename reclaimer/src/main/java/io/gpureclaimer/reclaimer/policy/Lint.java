package io.gpureclaimer.reclaimer.policy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
   * @param place what it is
   * @param namespace where it lives; of a namespace, its own name
   * @param name as people are told of it, for example {@code pod ml/train-0}
   * @param annotations what is written on it
   */
  public record Subject(
      Place place, String namespace, String name, Map<String, String> annotations) {
    public Subject {
      annotations = Map.copyOf(annotations);
    }
  }

  private final PolicyDefaults defaults;
  private final Instant now;
  private final Map<String, Wishes> namespaces;

  /**
   * What a namespace allows is known only of namespaces that are among the subjects.
   *
   * @param all whatever is looked at together
   */
  public Lint(PolicyDefaults defaults, Instant now, List<Subject> all) {
    this.defaults = defaults;
    this.now = now;
    this.namespaces =
        all.stream()
            .filter(subject -> subject.place() == Place.NAMESPACE)
            .collect(
                Collectors.toUnmodifiableMap(
                    Subject::namespace, Lint::wishes, (first, _) -> first));
  }

  /** What of this subject does not hold as it is written. */
  public List<Remark> of(Subject subject) {
    Wishes wishes = wishes(subject);
    Stream<Remark> read =
        Optional.ofNullable(namespaces.get(subject.namespace()))
            .map(above -> resolved(subject, wishes, above).filter(about(subject)))
            .orElseGet(
                () ->
                    Stream.concat(
                        wishes.notUnderstood().stream()
                            .filter(Predicate.not(defaults.heeded()::ignores)),
                        Receivers.strangers(wishes, defaults).stream()));
    return Stream.concat(read, written(subject)).toList();
  }

  private Stream<Remark> resolved(Subject subject, Wishes wishes, Wishes namespace) {
    List<Wishes> near = subject.place() == Place.NAMESPACE ? List.of() : List.of(wishes);
    return PolicyResolution.of(defaults, new Layers(near, namespace), now).remarks().stream();
  }

  private static Predicate<Remark> about(Subject subject) {
    return remark -> remark.object().equals(subject.name());
  }

  private static Stream<Remark> written(Subject subject) {
    return KnownKeys.STATE.stream()
        .filter(subject.annotations()::containsKey)
        .map(
            key ->
                new Remark(subject.name(), key, subject.annotations().getOrDefault(key, ""), OURS));
  }

  private static Wishes wishes(Subject subject) {
    return AnnotationReader.read(subject.name(), subject.place(), subject.annotations());
  }
}
