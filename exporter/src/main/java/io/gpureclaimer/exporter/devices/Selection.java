package io.gpureclaimer.exporter.devices;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which devices are served.
 *
 * @param flexible every GPU, and its MIG instances where it has some; the other two are then empty
 * @param gpus whole GPUs, by index
 * @param instances MIG instances, by {@link #numberOf}
 */
public record Selection(boolean flexible, Indexes gpus, Indexes instances) {
  /** What is served when nothing is said. */
  public static final Selection EVERYTHING = new Selection(true, Indexes.NONE, Indexes.NONE);

  /** No device. */
  public static final Selection NOTHING = new Selection(false, Indexes.NONE, Indexes.NONE);

  private static final int MOST_INSTANCES_OF_A_GPU = 8;

  /**
   * Reads {@code f}, {@code g}, {@code g:0,2-4}, {@code i}, {@code i:0-6} or a {@code g} and an
   * {@code i} joined by {@code +}.
   *
   * @throws IllegalArgumentException in one line that says what was expected
   */
  public static Selection of(String text) {
    if (text.equals("f")) {
      return EVERYTHING;
    }
    var gpus = Indexes.NONE;
    var instances = Indexes.NONE;
    for (String part : text.split("\\+", -1)) {
      var indexes = indexes(part);
      if (part.startsWith("g") && gpus.equals(Indexes.NONE)) {
        gpus = indexes;
      } else if (part.startsWith("i") && instances.equals(Indexes.NONE)) {
        instances = indexes;
      } else {
        throw new IllegalArgumentException("must be f, g[:LIST], i[:LIST] or g[:LIST]+i[:LIST]");
      }
    }
    return new Selection(false, gpus, instances);
  }

  /**
   * The number of an instance among those of all GPUs.
   *
   * @param gpu index of its GPU
   * @param ordinal its place among the instances of that GPU, by their ids, from 0
   */
  static int numberOf(int gpu, int ordinal) {
    return gpu * MOST_INSTANCES_OF_A_GPU + ordinal;
  }

  /** The index of the GPU that an instance of this number would be a part of. */
  static int gpuOf(int number) {
    return number / MOST_INSTANCES_OF_A_GPU;
  }

  /** Whether a GPU itself is served. */
  boolean showsGpu(int index) {
    return flexible || gpus.contains(index);
  }

  /** Whether an instance is served. */
  boolean showsInstance(int gpu, int ordinal) {
    return flexible || instances.contains(numberOf(gpu, ordinal));
  }

  /** What of this selection is not in the other one; of two that are not flexible. */
  public Selection minus(Selection other) {
    return new Selection(false, gpus.minus(other.gpus), instances.minus(other.instances));
  }

  /** As {@link #of} reads it; empty for {@link #NOTHING}. */
  public String text() {
    return flexible
        ? "f"
        : Stream.of(gpus.text('g'), instances.text('i'))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("+"));
  }

  private static Indexes indexes(String part) {
    if (part.equals("g") || part.equals("i")) {
      return Indexes.ALL;
    }
    if (part.startsWith("g:") || part.startsWith("i:")) {
      return Indexes.of(part.substring(2));
    }
    throw new IllegalArgumentException("must be f, g[:LIST], i[:LIST] or g[:LIST]+i[:LIST]");
  }

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

    /** Whether there is any number that it contains. */
    public boolean selectsAny() {
      return all || !some.isEmpty();
    }

    boolean contains(int number) {
      return all || some.contains(number);
    }

    /**
     * Those that match no device.
     *
     * @param matches whether a number is that of a device
     * @param any whether there is any device
     */
    Indexes unmatched(IntPredicate matches, boolean any) {
      return all
          ? any ? NONE : ALL
          : new Indexes(
              false,
              some.stream()
                  .filter(number -> !matches.test(number))
                  .collect(Collectors.toUnmodifiableSet()));
    }

    private Indexes minus(Indexes other) {
      return other.all ? NONE : all ? ALL : unmatched(other.some::contains, true);
    }

    /** As a part of {@link Selection#of}; empty if nothing is selected. */
    public Optional<String> text(char kind) {
      if (all) {
        return Optional.of(String.valueOf(kind));
      }
      return some.isEmpty()
          ? Optional.empty()
          : Optional.of(kind + ":" + String.join(",", ranges()));
    }

    /** The numbers in order, such as {@code 0} and {@code 2-4}. */
    List<String> ranges() {
      var ranges = new ArrayList<String>();
      for (int first : new TreeSet<>(some)) {
        if (!some.contains(first - 1)) {
          int last = first;
          while (some.contains(last + 1)) {
            last++;
          }
          ranges.add(first == last ? Integer.toString(first) : first + "-" + last);
        }
      }
      return ranges;
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
}
