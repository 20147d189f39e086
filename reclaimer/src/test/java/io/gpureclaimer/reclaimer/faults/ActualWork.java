package io.gpureclaimer.reclaimer.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When each GPU of a pod really works, and when the pod does something else.
 *
 * @param gpus for each of them the stretches of work, in order of time
 * @param sideWork the same for its other work; signals report each entry, done or not
 */
record ActualWork(List<List<WorkPeriod>> gpus, Map<SecondarySignal, List<WorkPeriod>> sideWork) {
  ActualWork {
    gpus = gpus.stream().map(List::copyOf).toList();
    sideWork = Map.copyOf(sideWork);
  }

  /** No other work. */
  ActualWork(List<List<WorkPeriod>> gpus) {
    this(gpus, Map.of());
  }

  /** One stretch of work, from its beginning to just before its end. */
  record WorkPeriod(Instant from, Instant to) {
    WorkPeriod {
      if (!from.isBefore(to)) {
        throw new IllegalArgumentException("work takes time, was from " + from + " to " + to);
      }
    }

    /** As far as it was before this moment, which it has begun before. */
    WorkPeriod until(Instant end) {
      return to.isBefore(end) ? this : new WorkPeriod(from, end);
    }

    Duration length() {
      return Duration.between(from, to);
    }

    /** How much of it lies between the two. */
    Duration within(Instant after, Instant until) {
      Instant begin = from.isAfter(after) ? from : after;
      Instant end = to.isBefore(until) ? to : until;
      return begin.isBefore(end) ? Duration.between(begin, end) : Duration.ZERO;
    }

    boolean meets(Instant after, Instant until) {
      return from.isBefore(until) && to.isAfter(after);
    }
  }

  /** Whether this GPU worked at any moment between the two. */
  boolean worked(int gpu, Instant after, Instant until) {
    return gpus.get(gpu).stream().anyMatch(stretch -> stretch.meets(after, until));
  }

  /** For how long between the two it did so. */
  Duration worked(SecondarySignal what, Instant after, Instant until) {
    return sideWork.getOrDefault(what, List.of()).stream()
        .map(stretch -> stretch.within(after, until))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** The last moment before this one at which it did any of that. */
  Optional<Instant> lastSideWork(Instant before) {
    return last(sideWork.values().stream(), before, Duration.ZERO);
  }

  /** The last moment before this one at which any of its GPUs worked. */
  Optional<Instant> lastWork(Instant before) {
    return lastWork(before, Duration.ZERO);
  }

  /** The same of work that had lasted for so long by then. */
  Optional<Instant> lastWork(Instant before, Duration shortest) {
    return last(gpus.stream(), before, shortest);
  }

  private static Optional<Instant> last(
      Stream<List<WorkPeriod>> work, Instant before, Duration shortest) {
    return work.flatMap(List::stream)
        .filter(stretch -> stretch.from().isBefore(before))
        .map(stretch -> stretch.until(before))
        .filter(stretch -> stretch.length().compareTo(shortest) >= 0)
        .map(WorkPeriod::to)
        .max(Comparator.naturalOrder());
  }
}
