package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.Arrays;
import java.util.Map;

/**
 * Links between the GPUs of a node. A pair of which nothing is known is not in it.
 *
 * @param links what joins each pair, in either order of the two
 */
public record Topology(Map<GpuPair, Link> links) {
  /** Nothing is known. */
  public static final Topology UNKNOWN = new Topology(Map.of());

  public Topology {
    links = Map.copyOf(links);
  }

  /** What joins the two; {@link Link#UNKNOWN} if that is not known. */
  public Link between(GpuUuid one, GpuUuid other) {
    return links.getOrDefault(GpuPair.of(one, other), Link.UNKNOWN);
  }

  /**
   * Two GPUs, whichever is named first.
   *
   * @param first the one whose name comes first in the alphabet
   * @param second the other
   */
  public record GpuPair(GpuUuid first, GpuUuid second) {
    public GpuPair {
      if (first.value().compareTo(second.value()) >= 0) {
        throw new IllegalArgumentException(
            "a pair is two different GPUs in the order of their names, was "
                + first
                + " and "
                + second);
      }
    }

    /** The two, in the order of their names. */
    public static GpuPair of(GpuUuid one, GpuUuid other) {
      return one.value().compareTo(other.value()) < 0
          ? new GpuPair(one, other)
          : new GpuPair(other, one);
    }
  }

  /**
   * What joins two GPUs.
   *
   * @param path the way over PCIe
   * @param nvlinks how many NVLinks lead from the one to the other; through a switch, as many as
   *     the one with fewer has
   */
  public record Link(Path path, int nvlinks) {
    /** Not known; no better than the longest way. */
    public static final Link UNKNOWN = new Link(Path.SYSTEM, 0);
  }

  /** Paths between two PCI devices, the shortest first: {@code nvmlGpuTopologyLevel_t}. */
  public enum Path {
    /** On one board. */
    INTERNAL(0),
    /** Through one PCIe switch. */
    SINGLE_SWITCH(10),
    /** Through several PCIe switches, without a host bridge. */
    MULTIPLE_SWITCHES(20),
    /** Through one host bridge. */
    HOST_BRIDGE(30),
    /** Through several host bridges of one NUMA node. */
    NODE(40),
    /** Between NUMA nodes. */
    SYSTEM(50);

    private final int level;

    Path(int level) {
      this.level = level;
    }

    /** The longest for a number that is not in NVML's list. */
    static Path of(int level) {
      return Arrays.stream(values()).filter(path -> path.level == level).findFirst().orElse(SYSTEM);
    }

    /** NVML's number of it: the longer the way, the greater. */
    public int level() {
      return level;
    }
  }
}
