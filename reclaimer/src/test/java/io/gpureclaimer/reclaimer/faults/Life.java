package io.gpureclaimer.reclaimer.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * When each GPU of a pod really works.
 *
 * @param gpus for each of them the stretches of work, in order of time
 */
record Life(List<List<Stretch>> gpus) {
  Life {
    gpus = gpus.stream().map(List::copyOf).toList();
  }

  /** One stretch of work, from its beginning to just before its end. */
  record Stretch(Instant from, Instant to) {
    Stretch {
      if (!from.isBefore(to)) {
        throw new IllegalArgumentException("work takes time, was from " + from + " to " + to);
      }
    }

    /** As far as it was before this moment, which it has begun before. */
    Stretch until(Instant end) {
      return to.isBefore(end) ? this : new Stretch(from, end);
    }

    Duration length() {
      return Duration.between(from, to);
    }

    boolean meets(Instant after, Instant until) {
      return from.isBefore(until) && to.isAfter(after);
    }
  }

  /** Whether this GPU worked at any moment between the two. */
  boolean worked(int gpu, Instant after, Instant until) {
    return gpus.get(gpu).stream().anyMatch(stretch -> stretch.meets(after, until));
  }

  /** The last moment before this one at which any of its GPUs worked. */
  Optional<Instant> lastWork(Instant before) {
    return lastWork(before, Duration.ZERO);
  }

  /** The same of work that had lasted for so long by then. */
  Optional<Instant> lastWork(Instant before, Duration shortest) {
    return gpus.stream()
        .flatMap(List::stream)
        .filter(stretch -> stretch.from().isBefore(before))
        .map(stretch -> stretch.until(before))
        .filter(stretch -> stretch.length().compareTo(shortest) >= 0)
        .map(Stretch::to)
        .max(Comparator.naturalOrder());
  }
}
