package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.client.Excerpt;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.Label;
import io.gpureclaimer.reclaimer.evidence.Mark;
import io.gpureclaimer.reclaimer.evidence.PodKey;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What each sample of the agents' records means. Confined to the thread of the answer. */
final class LedgerSamples implements Consumer<VectorSample> {

  /** Where a scrape without {@code honor_labels} puts a label that it overwrites. */
  static final String OVERWRITTEN_POD_UID = "exported_" + Labels.POD_UID;

  /** The labels that are looked at. */
  static final Set<String> LABELS =
      Set.of(Labels.UUID, Labels.GPU_INSTANCE_ID, Labels.POD_UID, OVERWRITTEN_POD_UID);

  private final Gathering gathering;

  LedgerSamples(Gathering gathering) {
    this.gathering = gathering;
  }

  @Override
  public void accept(VectorSample sample) {
    Map<String, String> labels = sample.labels();
    if (labels.containsKey(OVERWRITTEN_POD_UID)) {
      gathering.odd(
          "series of pod "
              + Excerpt.of(String.valueOf(labels.get(OVERWRITTEN_POD_UID)))
              + " left out: its pod_uid was overwritten by the scrape, which needs honor_labels");
      return;
    }
    if (LedgerMetrics.DEVICE_COUNT.equals(labels.get(Sorting.NAME))) {
      gathering.deviceCount(Gathering.uid(labels.get(Labels.POD_UID)), sample.value());
      return;
    }
    Optional<PodKey> pod = Gathering.uid(labels.get(Labels.POD_UID));
    var device = new Label(labels.get(Labels.UUID), labels.get(Labels.GPU_INSTANCE_ID));
    if (isOfAllDevices(labels)) {
      gathering.sampledAt(pod, sample.value(), sample.at());
      return;
    }
    switch (labels.get(Promql.KIND)) {
      case Queries.NEVER_ACTIVE -> gathering.neverActive(pod, device);
      case Queries.TORN -> gathering.torn(pod, device);
      case null, default ->
          mark(labels)
              .ifPresentOrElse(
                  mark -> gathering.mark(mark, pod, device, sample.value(), sample.at()),
                  () -> gathering.odd("series nobody asked for: " + Excerpt.of(labels.toString())));
    }
  }

  private static boolean isOfAllDevices(Map<String, String> labels) {
    return Queries.SAMPLED_AT.equals(labels.get(Promql.KIND)) && !labels.containsKey(Labels.UUID);
  }

  private static Optional<Mark> mark(Map<String, String> labels) {
    if (Queries.SAMPLED_AT.equals(labels.get(Promql.KIND))) {
      return Optional.of(Mark.SAMPLED_AT);
    }
    if (Queries.OBSERVED_UNTIL.equals(labels.get(Promql.KIND))) {
      return Optional.of(Mark.OBSERVED_UNTIL);
    }
    return switch (labels.get(Sorting.NAME)) {
      case LedgerMetrics.LAST_ACTIVE -> Optional.of(Mark.LAST_ACTIVE);
      case LedgerMetrics.OBSERVED_SINCE -> Optional.of(Mark.OBSERVED_SINCE);
      case LedgerMetrics.OBSERVED_UNTIL -> Optional.of(Mark.OBSERVED_UNTIL);
      case null, default -> Optional.empty();
    };
  }
}
