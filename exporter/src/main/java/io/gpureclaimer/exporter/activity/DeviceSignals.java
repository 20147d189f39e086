package io.gpureclaimer.exporter.activity;

import io.gpureclaimer.common.vocabulary.BoardSignal;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Signals of one device from pass to pass, for all of its holders. A signal that the device
 * reported before and no longer reports is not known, which counts as work. Confined to the thread
 * of the ledger.
 */
final class DeviceSignals {
  private static final long SECONDS_PER_MINUTE = 60;
  private static final List<BoardSignal> ALL = List.of(BoardSignal.values());

  private final Map<BoardSignal, Double> limits = new EnumMap<>(BoardSignal.class);
  private final Map<BoardSignal, Instant> known = new EnumMap<>(BoardSignal.class);
  private final Deque<MinuteLow> memory = new ArrayDeque<>();
  private final Duration longestGap;
  private Set<BoardSignal> watched = Set.of();
  private Instant readAt = Instant.MIN;
  private @Nullable Instant shownAt;
  private @Nullable BoardSignal shown;

  /** The least memory in use within one minute. */
  private record MinuteLow(long minute, double mebibytes) {}

  /**
   * @param model as the driver spells it
   * @param isInstance whether it is a part of a GPU
   * @param longestGap for so long a signal may be missing
   */
  DeviceSignals(String model, boolean isInstance, Duration longestGap) {
    this.longestGap = longestGap;
    for (BoardSignal signal : ALL) {
      if (!isInstance || signal.isOfInstances()) {
        signal.limit(model).ifPresent(limit -> limits.put(signal, limit));
      }
    }
  }

  /** Takes the readings of one pass, in order of their fields' numbers. */
  void read(List<Reading> readings, Instant at) {
    readAt = at;
    BoardSignal first = null;
    for (Map.Entry<BoardSignal, Double> each : limits.entrySet()) {
      BoardSignal signal = each.getKey();
      OptionalDouble value = value(signal, readings);
      if (value.isPresent()) {
        if (known.put(signal, at) == null) {
          watched = Set.copyOf(known.keySet());
        }
        double measured = value.getAsDouble();
        boolean isWork =
            (signal == BoardSignal.MEMORY ? rise(measured, at) : measured) > each.getValue();
        first = isWork && first == null ? signal : first;
      } else if (first == null && isMissing(signal, at)) {
        first = signal;
      }
    }
    if (first != null) {
      shown = first;
      shownAt = at;
    }
  }

  /** When it was last read. */
  Instant readAt() {
    return readAt;
  }

  /** The last sign of work within an observation. */
  LastSignal within(Instant begin, Instant end) {
    Instant at = shownAt;
    return at == null || at.isBefore(begin)
        ? new LastSignal(begin, null, watched)
        : new LastSignal(at.isAfter(end) ? end : at, shown, watched);
  }

  private boolean isMissing(BoardSignal signal, Instant at) {
    Instant last = known.get(signal);
    return last != null && at.isAfter(last.plus(longestGap));
  }

  /** By how much more is in use than the least of the window, which ends with this pass. */
  private double rise(double mebibytes, Instant at) {
    long minute = at.getEpochSecond() / SECONDS_PER_MINUTE;
    MinuteLow newest = memory.peekLast();
    if (newest == null || newest.minute() != minute) {
      memory.addLast(new MinuteLow(minute, mebibytes));
    } else if (mebibytes < newest.mebibytes()) {
      memory.removeLast();
      memory.addLast(new MinuteLow(minute, mebibytes));
    }
    while (memory.getFirst().minute() < minute - BoardSignal.MEMORY_WINDOW.toMinutes()) {
      memory.removeFirst();
    }
    double least = mebibytes;
    for (MinuteLow low : memory) {
      least = Math.min(least, low.mebibytes());
    }
    return mebibytes - least;
  }

  /** The highest of its fields; a negative value is none. */
  private static OptionalDouble value(BoardSignal signal, List<Reading> readings) {
    double highest = -1;
    for (DcgmField field : signal.fields()) {
      highest = Math.max(highest, highest(field, readings));
    }
    return highest < 0 ? OptionalDouble.empty() : OptionalDouble.of(highest);
  }

  private static double highest(DcgmField field, List<Reading> readings) {
    int from = 0;
    int to = readings.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (readings.get(middle).field().id() < field.id()) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    double highest = -1;
    for (int i = from; i < readings.size() && readings.get(i).field() == field; i++) {
      highest = Math.max(highest, readings.get(i).value());
    }
    return highest;
  }
}
