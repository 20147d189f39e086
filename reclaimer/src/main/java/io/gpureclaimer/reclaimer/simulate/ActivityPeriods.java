package io.gpureclaimer.reclaimer.simulate;

import java.util.Arrays;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * When a workload uses its GPUs: periods in order that do not overlap, in whole seconds from an
 * origin that the owner of the value knows. Immutable; a few bytes for each period, because a week
 * of a large cluster has millions of them.
 */
public final class ActivityPeriods {
  /** No activity at all. */
  public static final ActivityPeriods NONE =
      new ActivityPeriods(new int[0], new int[0], new float[0]);

  private final int[] starts;
  private final int[] ends;
  private final float[] levels;

  private ActivityPeriods(int[] starts, int[] ends, float[] levels) {
    this.starts = starts;
    this.ends = ends;
    this.levels = levels;
  }

  int size() {
    return starts.length;
  }

  int start(int index) {
    return starts[index];
  }

  int end(int index) {
    return ends[index];
  }

  double level(int index) {
    return levels[index];
  }

  /** Where the last period ends; 0 if there is none. */
  int lastEnd() {
    return size() == 0 ? 0 : ends[size() - 1];
  }

  /** Whether a period includes this second. */
  boolean isActiveAt(long at) {
    int index = firstEndingAfter(at);
    return index < size() && starts[index] <= at;
  }

  /** Index of the first period that ends after this second; {@link #size} if none does. */
  int firstEndingAfter(long at) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] > at) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The last second of activity up to this one, which it is if it is active. */
  OptionalInt lastActive(long at) {
    int index = firstEndingAfter(at);
    if (index < size() && starts[index] <= at) {
      return OptionalInt.of(Math.toIntExact(at));
    }
    return index == 0 ? OptionalInt.empty() : OptionalInt.of(ends[index - 1]);
  }

  /** The next second of activity from this one on, which it is if it is active. */
  OptionalInt nextActive(long at) {
    int index = firstEndingAfter(at);
    return index == size()
        ? OptionalInt.empty()
        : OptionalInt.of(Math.toIntExact(Math.max(at, starts[index])));
  }

  /** How many seconds within a range are active. */
  long seconds(long from, long to) {
    long sum = 0;
    for (int i = firstEndingAfter(from); i < size() && starts[i] < to; i++) {
      sum += Math.min(to, ends[i]) - Math.max(from, starts[i]);
    }
    return sum;
  }

  /** Mean utilization within a range, 0 to 1; inactive seconds count as 0. */
  double meanLevel(long from, long to) {
    double sum = 0;
    for (int i = firstEndingAfter(from); i < size() && starts[i] < to; i++) {
      sum += levels[i] * (Math.min(to, ends[i]) - Math.max(from, starts[i]));
    }
    return sum / (to - from);
  }

  /** Highest utilization within a range, 0 to 1. */
  double highestLevel(long from, long to) {
    double highest = 0;
    for (int i = firstEndingAfter(from); i < size() && starts[i] < to; i++) {
      highest = Math.max(highest, levels[i]);
    }
    return highest;
  }

  /**
   * The same with one period that begins later and keeps its length. Periods after it begin when
   * the one before has ended, if that is later than they would have begun.
   */
  ActivityPeriods delayed(int index, int start) {
    int[] newStarts = starts.clone();
    int[] newEnds = ends.clone();
    int next = start;
    for (int i = index; i < size() && newStarts[i] < next; i++) {
      newStarts[i] = next;
      newEnds[i] = next + ends[i] - starts[i];
      next = newEnds[i];
    }
    return new ActivityPeriods(newStarts, newEnds, levels);
  }

  /** The parts within a range, in seconds from its begin. */
  ActivityPeriods within(int from, int to) {
    var parts = new PeriodsBuilder();
    for (int i = firstEndingAfter(from); i < size() && starts[i] < to; i++) {
      parts.add(Math.max(from, starts[i]) - from, Math.min(to, ends[i]) - from, levels[i]);
    }
    return parts.build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ActivityPeriods that
        && Arrays.equals(starts, that.starts)
        && Arrays.equals(ends, that.ends)
        && Arrays.equals(levels, that.levels);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(starts) * 31 + Arrays.hashCode(ends);
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (int i = 0; i < size(); i++) {
      text.append(i == 0 ? "" : " ").append(starts[i]).append('-').append(ends[i]);
    }
    return text.toString();
  }

  /** Builder of periods, in order. Confined to one thread. */
  public static final class PeriodsBuilder {
    private int[] starts = new int[8];
    private int[] ends = new int[8];
    private float[] levels = new float[8];
    private int size;

    /** Where the last period ends; 0 if there is none. */
    public int lastEnd() {
      return size == 0 ? 0 : ends[size - 1];
    }

    /**
     * Adds a period; one that begins where the last one ends, with the same level, prolongs it.
     *
     * @param level utilization of the GPUs that are used, above 0 to 1
     */
    public PeriodsBuilder add(int start, int end, double level) {
      if (start < lastEnd() || end <= start || !(level > 0 && level <= 1)) {
        throw new IllegalArgumentException(
            "expected a period after "
                + lastEnd()
                + " with a level above 0 to 1, was "
                + start
                + " to "
                + end
                + " with "
                + level);
      }
      if (size > 0 && ends[size - 1] == start && levels[size - 1] == (float) level) {
        ends[size - 1] = end;
        return this;
      }
      if (size == starts.length) {
        starts = Arrays.copyOf(starts, size * 2);
        ends = Arrays.copyOf(ends, size * 2);
        levels = Arrays.copyOf(levels, size * 2);
      }
      starts[size] = start;
      ends[size] = end;
      levels[size++] = (float) level;
      return this;
    }

    /** The periods so far. */
    public ActivityPeriods build() {
      return size == 0
          ? NONE
          : new ActivityPeriods(
              Arrays.copyOf(starts, size), Arrays.copyOf(ends, size), Arrays.copyOf(levels, size));
    }
  }
}
