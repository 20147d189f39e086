package io.gpureclaimer.deviceplugin.allocation.preference;

import io.gpureclaimer.nvml.poll.Topology.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What NVIDIA's device plugin 0.20 prefers among whole GPUs: the best group of the best partition
 * of those that are free into groups of the size that is asked for. It knows NVLinks that lead from
 * GPU to GPU, and none that lead to a switch.
 */
final class NvidiaPolicy {
  private static final int PADDING = -1;

  private final MachineTopology machine;
  private int bestScore;
  private @Nullable List<List<Integer>> best;

  private NvidiaPolicy(MachineTopology machine) {
    this.machine = machine;
  }

  /** The order of the free ones decides among equals, and with the kubelet it is any. */
  static List<Integer> choose(MachineTopology machine, List<Integer> free, int size) {
    var policy = new NvidiaPolicy(machine);
    var padded = new ArrayList<Integer>(free);
    while (padded.size() % size != 0) {
      padded.add(PADDING);
    }
    policy.partitions(padded, size, List.of());
    List<Integer> chosen = policy.bestGroup();
    // What the plugin leaves open, the kubelet fills with what comes first.
    free.stream()
        .filter(gpu -> !chosen.contains(gpu))
        .limit(size - chosen.size())
        .toList()
        .forEach(chosen::add);
    return chosen;
  }

  private List<Integer> bestGroup() {
    List<Integer> group = List.of();
    int score = -1;
    for (List<Integer> each : best == null ? List.<List<Integer>>of() : best) {
      if (score(each) > score) {
        group = each;
        score = score(each);
      }
    }
    var real = new ArrayList<Integer>(group);
    real.removeIf(gpu -> gpu == PADDING);
    return real;
  }

  private void partitions(List<Integer> left, int size, List<List<Integer>> groups) {
    if (left.isEmpty()) {
      int score = groups.stream().mapToInt(this::score).sum();
      if (best == null || score > bestScore) {
        best = groups;
        bestScore = score;
      }
      return;
    }
    groups(left, 1, size - 1, List.of(left.getFirst()), groups, size);
  }

  private void groups(
      List<Integer> left,
      int from,
      int open,
      List<Integer> group,
      List<List<Integer>> groups,
      int size) {
    if (open == 0) {
      var rest = new ArrayList<>(left);
      group.forEach(rest::remove);
      partitions(rest, size, with(groups, group));
      return;
    }
    for (int i = from; i <= left.size() - open; i++) {
      groups(left, i + 1, open - 1, with(group, left.get(i)), groups, size);
    }
  }

  private static <T> List<T> with(List<T> list, T last) {
    var longer = new ArrayList<>(list);
    longer.add(last);
    return longer;
  }

  private int score(List<Integer> group) {
    int score = 0;
    for (int i = 0; i < group.size(); i++) {
      for (int j = i + 1; j < group.size(); j++) {
        score += pair(group.get(i), group.get(j));
      }
    }
    return score;
  }

  private int pair(int one, int other) {
    if (one == PADDING || other == PADDING) {
      return 0;
    }
    Path path = machine.link(one, other).path();
    int direct = machine.switched() ? 0 : machine.link(one, other).nvlinks();
    return 60 - path.level() + 100 * Math.min(direct, 18);
  }
}
