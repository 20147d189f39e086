package io.gpureclaimer.reclaimer.evidence.series;

import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.format.ActivityQueries;
import io.gpureclaimer.reclaimer.evidence.format.ClockRollbackGuard;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat;
import io.gpureclaimer.reclaimer.evidence.format.PodLabels;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Series format: the metrics of dcgm-exporter or its like, over which the clocks are kept here.
 *
 * @param labels by which they name pods and devices
 * @param signs those that are there
 * @param clocks the clocks of the devices
 */
record SeriesFormat(PodLabels labels, List<ActivitySign> signs, ActivityClockStore clocks)
    implements EvidenceFormat {
  static final String CODE = "series";

  /** The kind of the highest activity in a window. */
  static final String ACTIVITY = "activity";

  SeriesFormat {
    signs = List.copyOf(signs);
  }

  @Override
  public FormatName name() {
    return new FormatName(
        CODE,
        "clocks kept here over "
            + signs.stream().map(ActivitySign::metric).sorted().collect(Collectors.joining(", "))
            + "; pods by "
            + labels.uid().orElse(labels.style().namespace() + " and " + labels.style().pod()));
  }

  @Override
  public String ifEmpty() {
    return "no series of a GPU in a pod's hands in the answer";
  }

  @Override
  public List<String> allPods() {
    String ahead = ActivityQueries.ahead(signs, labels.style().matcher(), labels.all());
    return Stream.concat(
            Stream.of(PromQl.kind(ClockRollbackGuard.AHEAD, ahead)),
            series(labels.style().matcher()))
        .toList();
  }

  @Override
  public List<String> onePod(PodActivity pod) {
    return labels
        .uid()
        .map(uid -> PromQl.equal(uid, pod.uid()))
        .or(() -> pod.name().map(labels::matcher))
        .map(which -> PromQl.together(series(labels.style().matcher() + "," + which)))
        .stream()
        .toList();
  }

  @Override
  public String pastPods() {
    return PromQl.together(series(labels.style().matcher()));
  }

  private Stream<String> series(String matchers) {
    return Stream.of(
        PromQl.kind(
            ACTIVITY,
            ActivityQueries.activity(signs, matchers, labels.all(), ActivityClockStore.WINDOW)),
        PromQl.kind(
            ActivityQueries.SAMPLED_AT, ActivityQueries.sampled(signs, matchers, labels.all())));
  }

  @Override
  public String devicesOf(Collection<String> namespaces) {
    return PromQl.select(
        signs.stream().map(ActivitySign::metric).toList(),
        PromQl.oneOf(labels.style().namespace(), namespaces));
  }

  /** After a longer gap the clocks start again. */
  @Override
  public Optional<Duration> longestStep() {
    return Optional.of(ActivityClockStore.LONGEST_GAP);
  }

  @Override
  public Optional<PodName> podName(Map<String, String> of) {
    return labels.name(of);
  }

  @Override
  public EvidenceParser parser(PodActivityAggregator into) {
    return new SeriesParser(labels, clocks, into);
  }
}
