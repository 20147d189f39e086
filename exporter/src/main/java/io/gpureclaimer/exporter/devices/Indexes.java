package io.gpureclaimer.exporter.devices;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Some numbers of devices, or all.
 *
 * @param all whether every number is meant
 * @param some those that are, unless all are
 */
public record Indexes(boolean all, Set<Integer> some) {
  static final Indexes NONE = new Indexes(false, Set.of());
  static final Indexes ALL = new Indexes(true, Set.of());

  /** More than any machine has; keeps a range from filling the memory. */
  private static final int LARGEST = 4_095;

  private static final Pattern RANGE = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

  public Indexes {
    some = Set.copyOf(some);
  }

  /**
   * Reads {@code 0,2-4}; {@code -1} is all.
   *
   * @throws IllegalArgumentException in one line
   */
  static Indexes of(String list) {
    if (list.strip().equals("-1")) {
      return ALL;
    }
    var numbers = new TreeSet<Integer>();
    Arrays.stream(list.split(",", -1)).map(String::strip).forEach(part -> add(part, numbers));
    return new Indexes(false, numbers);
  }

  boolean contains(int number) {
    return all || some.contains(number);
  }

  private static void add(String part, Set<Integer> numbers) {
    Matcher range = RANGE.matcher(part);
    if (!range.matches()) {
      throw new IllegalArgumentException(
          "must list numbers and ranges like 0,2-4, but has \"" + part + '"');
    }
    int first = Integer.parseInt(range.group(1));
    int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
    if (last < first || last > LARGEST) {
      throw new IllegalArgumentException(
          "must have ranges that ascend and end at " + LARGEST + ", but has \"" + part + '"');
    }
    for (int number = first; number <= last; number++) {
      numbers.add(number);
    }
  }
}
