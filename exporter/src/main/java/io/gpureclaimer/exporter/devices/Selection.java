package io.gpureclaimer.exporter.devices;

import java.util.Set;
import java.util.TreeSet;

/**
 * Which devices are served.
 *
 * @param flexible every GPU, or its MIG instances where it has some; the other two are then empty
 * @param gpus whole GPUs, by index
 * @param instances MIG instances, by {@link #numberOf}
 */
public record Selection(boolean flexible, Indexes gpus, Indexes instances) {
  /** What is served when nothing is said. */
  public static final Selection EVERYTHING = new Selection(true, Indexes.NONE, Indexes.NONE);

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
  public static int numberOf(int gpu, int ordinal) {
    return gpu * MOST_INSTANCES_OF_A_GPU + ordinal;
  }

  /** Whether a GPU itself is served; {@code divided} is whether it has instances now. */
  public boolean showsGpu(int index, boolean divided) {
    return flexible ? !divided : gpus.contains(index);
  }

  /** Whether an instance is served. */
  public boolean showsInstance(int gpu, int ordinal) {
    return flexible || instances.contains(numberOf(gpu, ordinal));
  }

  /** The indexes of GPUs that are asked for by name and do not exist. */
  public Set<Integer> missingGpus(int existing) {
    var missing = new TreeSet<>(gpus.some());
    missing.removeIf(index -> index < existing);
    return missing;
  }

  /** The numbers of instances that are asked for by name and do not exist. */
  public Set<Integer> missingInstances(Set<Integer> existing) {
    var missing = new TreeSet<>(instances.some());
    missing.removeAll(existing);
    return missing;
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
}
