package io.gpureclaimer.deviceplugin.allocation.preference;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.Topology;
import io.gpureclaimer.nvml.poll.Topology.GpuPair;
import io.gpureclaimer.nvml.poll.Topology.Link;
import io.gpureclaimer.nvml.poll.Topology.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A machine as it can be bought, for tests and benchmarks.
 *
 * @param name for people
 * @param topology as the survey reports it
 * @param wires the same by index
 * @param switched whether NVLinks lead to a switch, so that none leads from GPU to GPU directly
 * @param numaNodes by index
 * @param islands the groups that are worth keeping whole
 */
record MachineTopology(
    String name,
    Topology topology,
    List<List<Link>> wires,
    boolean switched,
    List<Integer> numaNodes,
    List<List<Integer>> islands) {
  private static final int FULL_NVSWITCH = 18;
  private static final int BRIDGE = 12;
  private static final List<Path> PATHS = List.of(Path.values());

  static GpuUuid gpu(int index) {
    return new GpuUuid(String.format(Locale.ROOT, "GPU-%02d", index));
  }

  /** Eight or more GPUs behind NVSwitches; two share a PCIe switch, half of them a NUMA node. */
  static MachineTopology nvswitch(int gpus) {
    int half = gpus / 2;
    return machine(
        gpus + " GPUs, NVSwitch",
        gpus,
        (i, j) -> new Link(path(i, j, half), FULL_NVSWITCH),
        true,
        i -> i / half,
        groups(gpus, i -> i / half));
  }

  /** Bridges join pairs that are {@code apart} places apart in the driver's list. */
  static MachineTopology pairs(int apart) {
    int gpus = 8;
    return machine(
        "8 GPUs, bridges join i and i+" + apart,
        gpus,
        (i, j) -> new Link(path(i, j, 4), pair(i, apart) == pair(j, apart) ? BRIDGE : 0),
        false,
        i -> i / 4,
        groups(gpus, i -> pair(i, apart)));
  }

  /** Two islands of four, every other GPU in each. */
  static MachineTopology interleavedQuads() {
    return machine(
        "8 GPUs, two NVLink islands of 4",
        8,
        (i, j) -> new Link(i % 2 == j % 2 ? Path.NODE : Path.SYSTEM, i % 2 == j % 2 ? 4 : 0),
        false,
        i -> i % 2,
        groups(8, i -> i % 2));
  }

  /** An island of two and one of four. */
  static MachineTopology pairAndQuad() {
    return machine(
        "6 GPUs, NVLink islands of 2 and 4",
        6,
        (i, j) -> new Link(Path.SYSTEM, i / 2 == 0 == (j / 2 == 0) ? 4 : 0),
        false,
        _ -> 0,
        List.of(List.of(0, 1), List.of(2, 3, 4, 5)));
  }

  /** Anything. */
  static MachineTopology random(int gpus, Random random) {
    return machine(
        "random",
        gpus,
        (_, _) ->
            new Link(
                PATHS.get(random.nextInt(PATHS.size())),
                random.nextInt(3) == 0 ? random.nextInt(19) : 0),
        false,
        _ -> random.nextInt(2),
        List.of());
  }

  int size() {
    return numaNodes.size();
  }

  List<Candidate> candidates() {
    return IntStream.range(0, size())
        .mapToObj(
            i -> new Candidate(gpu(i).value(), gpu(i).value(), gpu(i), numaNodes.get(i), false))
        .toList();
  }

  PreferredAllocation preference() {
    return PreferredAllocation.of(candidates(), topology, SharePolicy.DISTRIBUTED);
  }

  Link link(int i, int j) {
    return wires.get(i).get(j);
  }

  private interface NvLinkPair {
    Link between(int one, int other);
  }

  private interface GpuGroup {
    int of(int index);
  }

  private static MachineTopology machine(
      String name,
      int gpus,
      NvLinkPair wire,
      boolean switched,
      GpuGroup numa,
      List<List<Integer>> islands) {
    Map<GpuPair, Link> links = new HashMap<>();
    for (int i = 0; i < gpus; i++) {
      for (int j = i + 1; j < gpus; j++) {
        links.put(GpuPair.of(gpu(i), gpu(j)), wire.between(i, j));
      }
    }
    List<Integer> nodes = IntStream.range(0, gpus).map(numa::of).boxed().toList();
    var topology = new Topology(links);
    List<List<Link>> wires =
        IntStream.range(0, gpus)
            .mapToObj(
                i ->
                    IntStream.range(0, gpus)
                        .mapToObj(j -> i == j ? Link.UNKNOWN : topology.between(gpu(i), gpu(j)))
                        .toList())
            .toList();
    return new MachineTopology(name, topology, wires, switched, nodes, islands);
  }

  private static Path path(int i, int j, int perNode) {
    if (i / 2 == j / 2) {
      return Path.SINGLE_SWITCH;
    }
    return i / perNode == j / perNode ? Path.NODE : Path.SYSTEM;
  }

  private static int pair(int i, int apart) {
    return i / (2 * apart) * apart + i % apart;
  }

  private static List<List<Integer>> groups(int gpus, GpuGroup group) {
    var groups = new ArrayList<List<Integer>>();
    for (int i = 0; i < gpus; i++) {
      while (groups.size() <= group.of(i)) {
        groups.add(new ArrayList<>());
      }
      groups.get(group.of(i)).add(i);
    }
    return groups;
  }
}
