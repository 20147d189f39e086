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
final class History {
  private final List<Step> steps = new ArrayList<>();

  /**
   * @param began from when on it may have been so
   * @param applied from when on it surely was
   */
  private record Step(Instant began, Instant applied, World world) {}

  /** A time in which something surely was so. */
  record Span(Instant from, Instant to) {
    Duration length() {
      return Duration.between(from, to);
    }
  }

  void add(Instant began, Instant applied, World world) {
    steps.add(new Step(began, applied, world));
  }

  World last() {
    return steps.getLast().world();
  }

  /** Whether it may have been so at some time from then to then. */
  boolean mayHaveBeen(Predicate<World> so, Instant from, Instant to) {
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
  boolean surelyWas(Predicate<World> so, Instant from, Instant to) {
    return !steps.getFirst().applied().isAfter(from) && !mayHaveBeen(so.negate(), from, to);
  }

  /** The longest times in which it surely was so, the last one up to now. */
  List<Span> spans(Predicate<World> so, Instant now) {
    var spans = new ArrayList<Span>();
    @Nullable Instant from = null;
    for (var step : steps) {
      boolean is = so.test(step.world());
      if (is && from == null) {
        from = step.applied();
      } else if (!is && from != null) {
        spans.add(new Span(from, step.began()));
        from = null;
      }
    }
    if (from != null) {
      spans.add(new Span(from, now));
    }
    return spans;
  }
}
