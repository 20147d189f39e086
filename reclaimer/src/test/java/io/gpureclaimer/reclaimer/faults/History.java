package io.gpureclaimer.reclaimer.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The samples of one series, in order of time. Confined to its storage. */
final class History {
  private final Deque<Point> points = new ArrayDeque<>();

  /** One sample. */
  record Point(long atMillis, double value) {}

  History copied() {
    var copied = new History();
    copied.points.addAll(points);
    return copied;
  }

  /** Takes a newer sample; refuses one out of order, as after a clock was set back. */
  void add(Point point, int most, long longestMillis) {
    Point last = points.peekLast();
    if (last != null && last.atMillis() >= point.atMillis()) {
      return;
    }
    points.addLast(point);
    while (points.size() > most
        || points.getFirst().atMillis() < point.atMillis() - longestMillis) {
      points.removeFirst();
    }
  }

  /** The newest at that time. */
  Optional<Point> newest(long atMillis) {
    @Nullable Point found = null;
    for (Iterator<Point> each = points.descendingIterator(); found == null && each.hasNext(); ) {
      Point point = each.next();
      found = point.atMillis() <= atMillis ? point : null;
    }
    return Optional.ofNullable(found);
  }

  /** All after the one time and not after the other, but for marks of staleness. */
  List<Point> between(long afterMillis, long untilMillis) {
    var found = new ArrayList<Point>();
    for (Point point : points) {
      if (point.atMillis() > afterMillis
          && point.atMillis() <= untilMillis
          && !Stale.is(point.value())) {
        found.add(point);
      }
    }
    return found;
  }
}
