package io.gpureclaimer.deviceplugin.allocation.preference;

import io.gpureclaimer.nvml.poll.Topology;
import io.gpureclaimer.nvml.poll.Topology.Link;
import io.gpureclaimer.nvml.poll.Topology.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Links between the GPUs of a resource, by position, and groups of fully linked GPUs. */
final class AffinityMatrix {
  /** A set of GPUs is the bits of a long. */
  static final int MOST = 64;

  /** One NVLink outdoes every way over PCIe. */
  private static final int NVLINK = 100;

  private static final int BEST_PATH = 60;

  private final int[][] joined;
  private final List<long[]> levels;

  private AffinityMatrix(int[][] joined, List<long[]> levels) {
    this.joined = joined;
    this.levels = levels;
  }

  static AffinityMatrix of(List<Candidate> gpus, Topology topology) {
    int count = gpus.size();
    var links = new Link[count][count];
    int[][] joined = new int[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        links[i][j] = link(gpus.get(i), gpus.get(j), topology);
        joined[i][j] = i == j ? 0 : bandwidth(links[i][j]);
      }
    }
    return new AffinityMatrix(joined, levels(links));
  }

  /** GPUs of one NUMA node are no farther apart than that. */
  private static Link link(Candidate one, Candidate other, Topology topology) {
    if (one.equals(other)) {
      return new Link(Path.INTERNAL, 0);
    }
    Link link = topology.between(one.gpu(), other.gpu());
    boolean together = one.numaNode() != null && one.numaNode().equals(other.numaNode());
    return link.path() == Path.SYSTEM && together ? new Link(Path.NODE, link.nvlinks()) : link;
  }

  /** Comparable, not measured: NVLinks first, then the shorter way over PCIe. */
  private static int bandwidth(Link link) {
    return NVLINK * link.nvlinks() + BEST_PATH - link.path().level();
  }

  /** The groups of one level are worth more than all of the next. */
  private static List<long[]> levels(Link[][] links) {
    return List.of(
        groups(links, link -> link.nvlinks() > 0),
        groups(links, link -> within(link, Path.NODE)),
        groups(links, link -> within(link, Path.HOST_BRIDGE)),
        groups(links, link -> within(link, Path.SINGLE_SWITCH)));
  }

  private static boolean within(Link link, Path path) {
    return link.path().level() <= path.level();
  }

  /** What is joined directly or by way of others, of at least two. */
  private static long[] groups(Link[][] links, Predicate<Link> together) {
    var groups = new ArrayList<Long>();
    long seen = 0;
    for (int i = 0; i < links.length; i++) {
      if ((seen & bit(i)) == 0) {
        long group = reached(links, together, i);
        seen |= group;
        if (Long.bitCount(group) > 1) {
          groups.add(group);
        }
      }
    }
    return groups.stream().mapToLong(Long::longValue).toArray();
  }

  private static long reached(Link[][] links, Predicate<Link> together, int from) {
    long reached = bit(from);
    long open = reached;
    while (open != 0) {
      int i = Long.numberOfTrailingZeros(open);
      open &= open - 1;
      for (int j = 0; j < links.length; j++) {
        if ((reached & bit(j)) == 0 && together.test(links[i][j])) {
          reached |= bit(j);
          open |= bit(j);
        }
      }
    }
    return reached;
  }

  static long bit(int position) {
    return 1L << position;
  }

  int count() {
    return joined.length;
  }

  /** How well one is joined with all of these. */
  int joined(int position, long others) {
    int[] row = joined[position];
    int sum = 0;
    for (long rest = others; rest != 0; rest &= rest - 1) {
      sum += row[Long.numberOfTrailingZeros(rest)];
    }
    return sum;
  }

  /** The groups that are free as a whole, level by level, the most valuable first. */
  List<long[]> wholeIn(long free) {
    return levels.stream()
        .map(groups -> Arrays.stream(groups).filter(group -> (group & ~free) == 0).toArray())
        .toList();
  }
}
