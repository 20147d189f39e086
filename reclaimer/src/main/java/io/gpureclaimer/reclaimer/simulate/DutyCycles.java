package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.CsvFile.CsvRow;
import io.gpureclaimer.reclaimer.simulate.TraceProblems.InvalidTrace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measured duty cycles of real pods, in the form of the GenTD26 traces: each workload gets the
 * series of a pod that is drawn, from a moment that is drawn, repeated as often as needed.
 */
final class DutyCycles {
  private static final String VALUE = "value";
  private static final String TIME = "timestamp_seconds";
  private static final double PERCENT = 100;

  /** A sample holds for no longer than this. */
  private static final long LONGEST_STEP = 300;

  private final List<MeasuredSeries> series;

  /** The activity of one pod over the time for which it was measured. */
  private record MeasuredSeries(ActivityPeriods activity, int length) {}

  private record DutySample(String pod, long at, double percent) {}

  private DutyCycles(List<MeasuredSeries> series) {
    this.series = series;
  }

  /**
   * Reads all series.
   *
   * @param problems collects the samples that cannot be used
   * @param remarks gets what was assumed
   */
  static DutyCycles read(Path file, TraceProblems problems, List<String> remarks) {
    Map<String, Long> last = new HashMap<>();
    Map<String, List<DutySample>> byPod = new LinkedHashMap<>();
    new CsvFile(file, problems)
        .read(List.of(TIME, "pod", VALUE), row -> Optional.of(sample(row, last)))
        .forEach(sample -> byPod.computeIfAbsent(sample.pod(), _ -> new ArrayList<>()).add(sample));
    byPod.values().removeIf(samples -> samples.size() < 2);
    if (byPod.isEmpty()) {
      throw new InvalidTrace(file.getFileName() + " has no pod with two samples");
    }
    var gaps = new int[1];
    List<MeasuredSeries> series =
        byPod.values().stream().map(samples -> series(samples, gaps)).toList();
    remarks.add(
        "duty cycles: "
            + series.size()
            + " series, each repeated as often as needed; "
            + gaps[0]
            + " gaps longer than 5m left out of them");
    return new DutyCycles(series);
  }

  private static DutySample sample(CsvRow row, Map<String, Long> last) {
    String pod = row.required("pod");
    double time = row.decimal(TIME);
    if (time < 0) {
      throw CsvRow.invalid(TIME, "expected a time that is not negative, found " + time);
    }
    long at = (long) time;
    Long before = last.get(pod);
    if (before != null && at <= before) {
      throw CsvRow.invalid(
          TIME, "expected a time after " + before + " of the same pod, found " + at);
    }
    double percent = row.decimal(VALUE);
    if (!(percent >= 0 && percent <= PERCENT)) {
      throw CsvRow.invalid(VALUE, "expected 0 to 100, found " + percent);
    }
    last.put(pod, at);
    return new DutySample(pod, at, percent);
  }

  /** A sample holds until the next one; a gap has no length. */
  private static MeasuredSeries series(List<DutySample> samples, int[] gaps) {
    var periods = new ActivityPeriods.PeriodsBuilder();
    int at = 0;
    for (int i = 0; i + 1 < samples.size(); i++) {
      long step = samples.get(i + 1).at() - samples.get(i).at();
      if (step > LONGEST_STEP) {
        gaps[0]++;
        continue;
      }
      int next = at + Math.toIntExact(step);
      if (samples.get(i).percent() > 0) {
        periods.add(at, next, samples.get(i).percent() / PERCENT);
      }
      at = next;
    }
    return new MeasuredSeries(periods.build(), Math.max(1, at));
  }

  /** The activity of a workload that lasts so many seconds. */
  ActivityPeriods draw(int lasts, ActivityGenerator generator) {
    MeasuredSeries drawn = series.get(generator.between(0, series.size()));
    int offset = generator.between(0, drawn.length());
    var periods = new ActivityPeriods.PeriodsBuilder();
    for (int start = -offset; start < lasts; start += drawn.length()) {
      ActivityPeriods activity = drawn.activity();
      for (int i = activity.firstEndingAfter(-start); i < activity.size(); i++) {
        int from = Math.max(0, start + activity.start(i));
        int to = Math.min(lasts, start + activity.end(i));
        if (from < to) {
          periods.add(from, to, activity.level(i));
        }
      }
    }
    return periods.build();
  }
}
