package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.PastActivity;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastPod;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PastSpell;
import io.gpureclaimer.reclaimer.evidence.PastActivity.PodNamePattern;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.format.EvidenceFormat.ClockNames;
import io.gpureclaimer.reclaimer.evidence.prometheus.PromQl;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The clocks of some pods in the last days, by one range query. It is at most 16 000 characters
 * long, and its answer at most {@link #MOST_SAMPLES} samples. Confined to one thread.
 */
final class PastFetch {
  static final int MOST_SAMPLES = 2_000_000;

  private static final String UNTIL = "observed_until";
  private static final List<String> POD = List.of(Labels.NAMESPACE, Labels.POD, Labels.POD_UID);
  private static final Set<String> LABELS =
      Set.of(MetricSample.NAME, PromQl.KIND, Labels.NAMESPACE, Labels.POD, Labels.POD_UID);

  private final ClockNames clocks;
  private final List<PodNamePattern> pods;
  private final TimeRange range;
  private final Map<PastPodKey, PodClocks> found = new LinkedHashMap<>();
  private int samples;

  private record PastPodKey(PodName name, String uid) {}

  private PastFetch(ClockNames clocks, List<PodNamePattern> pods, TimeRange range) {
    this.clocks = clocks;
    this.pods = pods;
    this.range = range;
  }

  /** Runs the query. */
  static PastActivity of(
      QueryClient client, ClockNames clocks, List<PodNamePattern> pods, TimeRange range) {
    var fetch = new PastFetch(clocks, pods, range);
    return switch (client.query(
        fetch.query(), range, LABELS, series -> series.forEach(fetch::accept))) {
      case QueryAnswer.Unusable(String expected, String answer) ->
          new PastActivity.Unknown("expected " + expected + ", found " + answer);
      case QueryAnswer.Complete() -> fetch.result();
    };
  }

  /** The latest activity and begin of any device of a pod, and the earliest end. */
  private String query() {
    String matchers =
        PromQl.oneOf(
                Labels.NAMESPACE,
                pods.stream().map(PodNamePattern::namespace).distinct().sorted().toList())
            + ","
            + PromQl.matching(
                Labels.POD,
                pods.stream().map(each -> each.pattern().pattern()).distinct().toList());
    List<String> named = Stream.concat(Stream.of(MetricSample.NAME), POD.stream()).toList();
    return PromQl.by(
            "max",
            named,
            PromQl.select(List.of(clocks.lastActive(), clocks.observedSince()), matchers))
        + " or "
        + PromQl.kind(
            UNTIL, PromQl.by("min", POD, PromQl.select(List.of(clocks.observedUntil()), matchers)));
  }

  private void accept(MetricSample sample) {
    Map<String, String> labels = sample.labels();
    var name =
        new PodName(labels.getOrDefault(Labels.NAMESPACE, ""), labels.getOrDefault(Labels.POD, ""));
    samples++;
    if (samples > MOST_SAMPLES || !(sample.value() > 0) || !Double.isFinite(sample.value())) {
      return;
    }
    var key = new PastPodKey(name, labels.getOrDefault(Labels.POD_UID, ""));
    PodClocks of = found.computeIfAbsent(key, _ -> new PodClocks(range.steps()));
    int step = Math.toIntExact(Duration.between(range.from(), sample.at()).dividedBy(range.step()));
    if (UNTIL.equals(labels.get(PromQl.KIND))) {
      of.observedUntil[step] = sample.value();
    } else if (clocks.lastActive().equals(sample.name())) {
      of.lastActive[step] = sample.value();
    } else {
      of.observedSince[step] = sample.value();
    }
  }

  private PastActivity result() {
    if (samples > MOST_SAMPLES) {
      return new PastActivity.Unknown(
          "expected at most " + MOST_SAMPLES + " samples, found " + samples);
    }
    Collection<PastPod> past =
        found.entrySet().stream()
            .filter(each -> PodNamePattern.anyMatches(pods, each.getKey().name()))
            .map(each -> new PastPod(each.getKey().name(), each.getValue().spells()))
            .toList();
    return new PastActivity.Known(range, List.copyOf(past));
  }

  /** Times of one pod by step, in seconds since the epoch; NaN where there is no sample. */
  private static final class PodClocks {
    private final double[] lastActive;
    private final double[] observedSince;
    private final double[] observedUntil;

    PodClocks(long steps) {
      this.lastActive = nothing(steps);
      this.observedSince = nothing(steps);
      this.observedUntil = nothing(steps);
    }

    private static double[] nothing(long steps) {
      var times = new double[Math.toIntExact(steps) + 1];
      Arrays.fill(times, Double.NaN);
      return times;
    }

    /** A step with only some of the clocks counts as one without a sample. */
    List<PastSpell> spells() {
      var spells = new ArrayList<PastSpell>();
      for (int step = 0; step < observedUntil.length; step++) {
        if (Double.isNaN(observedSince[step]) || Double.isNaN(observedUntil[step])) {
          continue;
        }
        Optional<Instant> active =
            Double.isNaN(lastActive[step]) ? Optional.empty() : Optional.of(time(lastActive[step]));
        PastSpell.add(spells, active, time(observedSince[step]), time(observedUntil[step]), step);
      }
      return spells;
    }

    private static Instant time(double seconds) {
      return Instant.ofEpochMilli(Math.round(seconds * 1_000));
    }
  }
}
