package io.gpureclaimer.exporter.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was true when. A change takes a moment in which either may be seen, so there are two
 * questions: what may have been, and what surely was.
 */
final class NodeHistory {
  private final List<HistoryStep> steps = new ArrayList<>();

  /**
   * @param began from when on it may have been so
   * @param applied from when on it surely was
   */
  private record HistoryStep(Instant began, Instant applied, ActualNode world) {}

  /** A time in which something surely was so. */
  record HistorySpan(Instant from, Instant to) {
    Duration length() {
      return Duration.between(from, to);
    }
  }

  void add(Instant began, Instant applied, ActualNode world) {
    steps.add(new HistoryStep(began, applied, world));
  }

  ActualNode last() {
    return steps.getLast().world();
  }

  /** Whether it may have been so at some time from then to then. */
  boolean mayHaveBeen(Predicate<ActualNode> so, Instant from, Instant to) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      boolean endedBefore = i + 1 < steps.size() && steps.get(i + 1).applied().isBefore(from);
      if (endedBefore) {
        return false;
      }
      if (!steps.get(i).began().isAfter(to) && so.test(steps.get(i).world())) {
        return true;
      }
    }
    return false;
  }

  /** Whether it surely was so all the time. */
  boolean surelyWas(Predicate<ActualNode> so, Instant from, Instant to) {
    return !steps.getFirst().applied().isAfter(from) && !mayHaveBeen(so.negate(), from, to);
  }

  /** The longest times in which it surely was so, the last one up to now. */
  List<HistorySpan> spans(Predicate<ActualNode> so, Instant now) {
    var spans = new ArrayList<HistorySpan>();
    @Nullable Instant from = null;
    for (var step : steps) {
      boolean is = so.test(step.world());
      if (is && from == null) {
        from = step.applied();
      } else if (!is && from != null) {
        spans.add(new HistorySpan(from, step.began()));
        from = null;
      }
    }
    if (from != null) {
      spans.add(new HistorySpan(from, now));
    }
    return spans;
  }
}
