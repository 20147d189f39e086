package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * Containers come and go at random, so that seven of ten places are taken in the long run, fewer at
 * night and more by day; what is counted is what stays whole. The same containers arrive, whatever
 * places them.
 */
final class PlacementTrace {
  private static final int STEPS = 4_000;
  private static final double LOAD = 0.7;
  private static final double SWING = 0.25;
  private static final double DAY = 200;

  private final int places;
  private final int[] sizes;
  private final Random random;
  private final Random order;
  private final List<Integer> free = new ArrayList<>();
  private final List<List<Integer>> held = new ArrayList<>();

  /** Places containers among the free places, which come in any order. */
  interface Placer {
    List<Integer> place(List<Integer> free, int size);
  }

  PlacementTrace(int places, int[] sizes, long seed) {
    this.places = places;
    this.sizes = sizes.clone();
    this.random = new Random(seed);
    this.order = new Random(~seed);
    for (int i = 0; i < places; i++) {
      free.add(i);
    }
  }

  /** The average after each step of what is counted of the free places. */
  double average(Placer placer, ToDoubleFunction<List<Integer>> counted) {
    double sum = 0;
    for (int step = 0; step < STEPS; step++) {
      int size = sizes[random.nextInt(sizes.length)];
      double leaving = random.nextDouble();
      double load = LOAD + SWING * Math.sin(2 * Math.PI * step / DAY);
      if (places - free.size() + size / 2.0 <= load * places && free.size() >= size) {
        come(placer, size);
      } else if (!held.isEmpty()) {
        free.addAll(held.remove((int) (leaving * held.size())));
      }
      sum += counted.applyAsDouble(free);
    }
    return sum / STEPS;
  }

  private void come(Placer placer, int size) {
    Collections.shuffle(free, order);
    List<Integer> chosen = placer.place(List.copyOf(free), size);
    free.removeAll(chosen);
    held.add(chosen);
  }
}
