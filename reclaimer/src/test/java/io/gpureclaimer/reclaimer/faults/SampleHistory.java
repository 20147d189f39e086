package io.gpureclaimer.reclaimer.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The samples of one series, in order of time. Confined to its storage. */
final class SampleHistory {
  private final Deque<StoredPoint> points = new ArrayDeque<>();

  /** One sample. */
  record StoredPoint(long atMillis, double value) {}

  SampleHistory copied() {
    var copied = new SampleHistory();
    copied.points.addAll(points);
    return copied;
  }

  /** Takes a newer sample; refuses one out of order, as after a clock was set back. */
  void add(StoredPoint point, int most, long longestMillis) {
    StoredPoint last = points.peekLast();
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
  Optional<StoredPoint> newest(long atMillis) {
    @Nullable StoredPoint found = null;
    for (Iterator<StoredPoint> each = points.descendingIterator();
        found == null && each.hasNext(); ) {
      StoredPoint point = each.next();
      found = point.atMillis() <= atMillis ? point : null;
    }
    return Optional.ofNullable(found);
  }

  /** All after the one time and not after the other, but for marks of staleness. */
  List<StoredPoint> between(long afterMillis, long untilMillis) {
    var found = new ArrayList<StoredPoint>();
    for (StoredPoint point : points) {
      if (point.atMillis() > afterMillis
          && point.atMillis() <= untilMillis
          && !StalenessMarker.is(point.value())) {
        found.add(point);
      }
    }
    return found;
  }
}
