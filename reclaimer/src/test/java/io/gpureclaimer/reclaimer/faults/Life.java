package io.gpureclaimer.reclaimer.faults;

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
    return gpus.stream()
        .flatMap(List::stream)
        .filter(stretch -> stretch.from().isBefore(before))
        .map(stretch -> stretch.to().isBefore(before) ? stretch.to() : before)
        .max(Comparator.naturalOrder());
  }
}
