package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.client.Excerpt;
import io.gpureclaimer.reclaimer.evidence.Gathering;
import io.gpureclaimer.reclaimer.evidence.Mark;
import io.gpureclaimer.reclaimer.evidence.prometheus.VectorSample;
import java.util.List;
import java.util.function.Consumer;

/** What each sample of the recording rules means. Confined to the thread of the answer. */
final class RuleSamples implements Consumer<VectorSample> {
  static final String LAST_ACTIVE = "gpu_reclaimer:device_last_active:timestamp_seconds";
  static final String OBSERVED_SINCE = "gpu_reclaimer:device_observed_since:timestamp_seconds";
  static final String SAMPLED = "gpu_reclaimer:device_sampled:timestamp_seconds";
  static final List<String> NAMES = List.of(LAST_ACTIVE, OBSERVED_SINCE, SAMPLED);

  private final PodLabels labels = PodLabels.canonical();
  private final Gathering gathering;

  RuleSamples(Gathering gathering) {
    this.gathering = gathering;
  }

  @Override
  public void accept(VectorSample sample) {
    switch (sample.labels().get(Sorting.NAME)) {
      case LAST_ACTIVE -> mark(Mark.LAST_ACTIVE, sample);
      case OBSERVED_SINCE -> mark(Mark.OBSERVED_SINCE, sample);
      case SAMPLED -> {
        // The rules go by the Prometheus's clock and by when it took the samples, and by no other.
        mark(Mark.OBSERVED_UNTIL, sample);
        mark(Mark.SAMPLED_AT, sample);
      }
      case null, default ->
          gathering.odd("series nobody asked for: " + Excerpt.of(sample.labels().toString()));
    }
  }

  private void mark(Mark mark, VectorSample sample) {
    gathering.mark(
        mark,
        labels.pod(sample.labels()),
        labels.device(sample.labels()),
        sample.value(),
        sample.at());
  }
}
