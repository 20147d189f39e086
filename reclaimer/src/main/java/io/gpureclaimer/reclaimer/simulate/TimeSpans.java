package io.gpureclaimer.reclaimer.simulate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Spans of time in any order, which may overlap. Confined to one thread at a time. */
final class TimeSpans {
  private final List<TimeSpan> spans = new ArrayList<>();

  /** From one second on, up to another one. */
  private record TimeSpan(long from, long to) {}

  void add(Instant from, Instant to) {
    add(from.getEpochSecond(), to.getEpochSecond());
  }

  private void add(long from, long to) {
    if (from < to) {
      spans.add(new TimeSpan(from, to));
    }
  }

  /** In order, none of which touches another. */
  private List<TimeSpan> merged() {
    List<TimeSpan> merged = new ArrayList<>();
    spans.stream()
        .sorted(Comparator.comparingLong(TimeSpan::from))
        .forEach(
            span -> {
              if (!merged.isEmpty() && merged.getLast().to() >= span.from()) {
                TimeSpan last = merged.removeLast();
                merged.add(new TimeSpan(last.from(), Math.max(last.to(), span.to())));
              } else {
                merged.add(span);
              }
            });
    return merged;
  }

  /** The parts that others do not cover. */
  TimeSpans without(TimeSpans others) {
    List<TimeSpan> covering = others.merged();
    var left = new TimeSpans();
    int first = 0;
    for (TimeSpan span : merged()) {
      long at = span.from();
      while (first < covering.size() && covering.get(first).to() <= at) {
        first++;
      }
      for (int i = first; i < covering.size() && covering.get(i).from() < span.to(); i++) {
        left.add(at, covering.get(i).from());
        at = Math.max(at, covering.get(i).to());
      }
      left.add(at, span.to());
    }
    return left;
  }

  /** Periods in seconds from an origin, up to a length. */
  ActivityPeriods within(Instant origin, int length) {
    var periods = new ActivityPeriods.PeriodsBuilder();
    for (TimeSpan span : merged()) {
      long from = Math.max(0, span.from() - origin.getEpochSecond());
      long to = Math.min(length, span.to() - origin.getEpochSecond());
      if (from < to) {
        periods.add(Math.toIntExact(from), Math.toIntExact(to), 1);
      }
    }
    return periods.build();
  }
}
