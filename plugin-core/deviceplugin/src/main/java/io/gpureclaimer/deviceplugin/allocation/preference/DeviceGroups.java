package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Which of what is offered belongs together, by position. */
final class DeviceGroups {
  private final int[] groupOf;
  private final int[] sizes;

  private DeviceGroups(int[] groupOf, int[] sizes) {
    this.groupOf = groupOf;
    this.sizes = sizes;
  }

  /** Groups in the order in which they come first. */
  static DeviceGroups by(List<Candidate> offered, Function<Candidate, Object> key) {
    Map<Object, Integer> numbers = new LinkedHashMap<>();
    int[] groupOf = new int[offered.size()];
    int[] sizes = new int[offered.size()];
    for (int i = 0; i < groupOf.length; i++) {
      groupOf[i] = numbers.computeIfAbsent(key.apply(offered.get(i)), absent -> numbers.size());
      sizes[groupOf[i]]++;
    }
    return new DeviceGroups(groupOf, Arrays.copyOf(sizes, numbers.size()));
  }

  /** How many groups there are. */
  int count() {
    return sizes.length;
  }

  /** How many positions there are. */
  int positions() {
    return groupOf.length;
  }

  int groupOf(int position) {
    return groupOf[position];
  }

  /** How many belong to each group. */
  int[] sizes() {
    return sizes.clone();
  }

  /** How many of these belong to each group. */
  int[] count(BitSet positions) {
    int[] counts = new int[sizes.length];
    positions.stream().forEach(position -> counts[groupOf[position]]++);
    return counts;
  }
}
