package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands each sample of an answer to whoever knows its kind. Confined to the thread of the answer.
 */
final class Sorting implements Consumer<VectorSample> {
  static final String NAME = "__name__";

  private final Consumer<VectorSample> otherwise;
  private final Map<String, Consumer<VectorSample>> byKind = new HashMap<>();
  private final Set<String> labels = new HashSet<>(Set.of(NAME, Promql.KIND));
  private @Nullable Instant at;

  /**
   * @param otherwise for samples of no kind that anybody asked for
   */
  Sorting(Consumer<VectorSample> otherwise) {
    this.otherwise = otherwise;
  }

  /** Samples of this kind go there. */
  Sorting to(Consumer<VectorSample> reader, String... kinds) {
    for (String kind : kinds) {
      byKind.put(kind, reader);
    }
    return this;
  }

  /** These labels are looked at by somebody. */
  Sorting reading(Set<String> more) {
    labels.addAll(more);
    return this;
  }

  /** The labels that are looked at. */
  Set<String> labels() {
    return labels;
  }

  /** The time that the samples were asked for, by the Prometheus's clock; empty without samples. */
  Optional<Instant> at() {
    return Optional.ofNullable(at);
  }

  @Override
  public void accept(VectorSample sample) {
    at = at == null || sample.at().isAfter(at) ? sample.at() : at;
    String kind = sample.labels().get(Promql.KIND);
    (kind == null ? otherwise : byKind.getOrDefault(kind, otherwise)).accept(sample);
  }
}
