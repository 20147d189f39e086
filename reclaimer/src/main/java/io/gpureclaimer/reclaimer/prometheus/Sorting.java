package io.gpureclaimer.reclaimer.prometheus;

import io.gpureclaimer.core.vocabulary.Labels;
import io.gpureclaimer.core.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.activity.Gathering;
import io.gpureclaimer.reclaimer.activity.Mark;
import io.gpureclaimer.reclaimer.client.Excerpt;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a gathering what each sample of an answer means. Confined to the thread of the answer. */
final class Sorting implements Consumer<VectorSample> {
  private static final String NAME = "__name__";

  /** Where a scrape without {@code honor_labels} puts a label that it overwrites. */
  private static final String OVERWRITTEN_POD_UID = "exported_" + Labels.POD_UID;

  /** The labels that are looked at. */
  static final Set<String> LABELS =
      Set.of(NAME, Labels.UUID, Labels.POD_UID, OVERWRITTEN_POD_UID, Queries.KIND);

  private final Gathering gathering;
  private @Nullable Instant at;

  Sorting(Gathering gathering) {
    this.gathering = gathering;
  }

  /** The time that the samples were asked for, by the Prometheus's clock; empty without samples. */
  Optional<Instant> at() {
    return Optional.ofNullable(at);
  }

  @Override
  public void accept(VectorSample sample) {
    at = at == null || sample.at().isAfter(at) ? sample.at() : at;
    String kind = sample.labels().get(Queries.KIND);
    if (Queries.UTILIZATION.equals(kind)) {
      gathering.utilization(sample.labels().get(Labels.UUID), sample.value());
      return;
    }
    Optional<Mark> mark =
        Queries.SAMPLED_AT.equals(kind) ? Optional.of(Mark.SAMPLED_AT) : byName(sample);
    if (mark.isEmpty()) {
      gathering.odd("series nobody asked for: " + Excerpt.of(sample.labels().toString()));
    } else if (sample.labels().containsKey(OVERWRITTEN_POD_UID)) {
      gathering.odd(
          "series of pod "
              + Excerpt.of(String.valueOf(sample.labels().get(OVERWRITTEN_POD_UID)))
              + " left out: its pod_uid was overwritten by the scrape, which needs honor_labels");
    } else {
      gathering.mark(
          mark.get(),
          sample.labels().get(Labels.POD_UID),
          sample.labels().get(Labels.UUID),
          sample.value(),
          sample.at());
    }
  }

  private static Optional<Mark> byName(VectorSample sample) {
    return switch (sample.labels().get(NAME)) {
      case LedgerMetrics.LAST_ACTIVE -> Optional.of(Mark.LAST_ACTIVE);
      case LedgerMetrics.OBSERVED_SINCE -> Optional.of(Mark.OBSERVED_SINCE);
      case LedgerMetrics.OBSERVED_UNTIL -> Optional.of(Mark.OBSERVED_UNTIL);
      case null, default -> Optional.empty();
    };
  }
}
