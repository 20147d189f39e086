package io.gpureclaimer.deviceplugin.allocation.preference;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.allocation.preference.PlacementTrace.Placer;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What stays whole over random traces, beside the first that is free and beside NVIDIA's plugin.
 * Prints rows of docs/performance.md.
 */
class PlacementTraceTest {
  private static final int[] GPU_SIZES = {1, 1, 1, 2, 2, 4};
  private static final int[] MIG_SIZES = {1, 1, 1, 2};
  private static final long[] SEEDS = {1, 2, 3, 4, 5};
  private static final Placer FIRST = (free, size) -> free.stream().sorted().limit(size).toList();
  private static final Placer ANY = (free, size) -> free.stream().limit(size).toList();

  static Stream<MachineTopology> machines() {
    return Stream.of(
        MachineTopology.nvswitch(8),
        MachineTopology.pairs(1),
        MachineTopology.pairs(4),
        MachineTopology.interleavedQuads());
  }

  @ParameterizedTest
  @MethodSource("machines")
  void moreIslandsStayWhole(MachineTopology machine) {
    PreferredAllocation preference = machine.preference();
    Placer ours = (free, size) -> indices(preference.choose(gpus(free), Set.of(), size));
    Placer nvidia = (free, size) -> NvidiaPolicy.choose(machine, free, size);
    ToDoubleFunction<List<Integer>> whole =
        free -> machine.islands().stream().filter(free::containsAll).count();

    double[] islands =
        compare(machine.name() + ", whole islands", 8, GPU_SIZES, whole, ours, nvidia);

    assertThat(islands[0]).isGreaterThanOrEqualTo(islands[1]).isGreaterThan(islands[2]);
  }

  @ParameterizedTest
  @MethodSource("machines")
  void containersAreJoinedBetter(MachineTopology machine) {
    PreferredAllocation preference = machine.preference();
    Placer ours = (free, size) -> indices(preference.choose(gpus(free), Set.of(), size));
    Placer nvidia = (free, size) -> NvidiaPolicy.choose(machine, free, size);

    double[] joined = {
      joined(machine, ours), joined(machine, FIRST), joined(machine, nvidia),
    };
    print(machine.name() + ", share of the best bandwidth", joined);

    assertThat(joined[0]).isEqualTo(1.0).isGreaterThanOrEqualTo(joined[2]);
    assertThat(joined[1]).isLessThanOrEqualTo(1.0);
  }

  @Test
  void moreGpusStayUndivided() {
    int gpus = 8;
    int each = 7;
    List<Candidate> parts = parts(gpus, each);
    var preference = PreferredAllocation.of(parts, Topology.UNKNOWN, SharePolicy.DISTRIBUTED);
    Placer ours =
        (free, size) ->
            preference
                .choose(
                    free.stream().map(i -> "MIG-" + i).collect(Collectors.toSet()), Set.of(), size)
                .stream()
                .map(id -> Integer.valueOf(id.substring(4)))
                .toList();
    ToDoubleFunction<List<Integer>> empty =
        free -> {
          var all = new HashSet<>(free);
          return Stream.iterate(0, i -> i + each)
              .limit(gpus)
              .filter(i -> Stream.iterate(i, j -> j + 1).limit(each).allMatch(all::contains))
              .count();
        };

    double[] parents =
        compare("8 GPUs of 7 MIG devices, whole GPUs", gpus * each, MIG_SIZES, empty, ours, ANY);

    assertThat(parents[0]).isGreaterThan(parents[1]).isGreaterThan(parents[2]);
  }

  /** Ours, the first that is free, the other. */
  private static double[] compare(
      String what,
      int places,
      int[] sizes,
      ToDoubleFunction<List<Integer>> counted,
      Placer ours,
      Placer other) {
    double[] averages = new double[3];
    for (long seed : SEEDS) {
      averages[0] += new PlacementTrace(places, sizes, seed).average(ours, counted) / SEEDS.length;
      averages[1] += new PlacementTrace(places, sizes, seed).average(FIRST, counted) / SEEDS.length;
      averages[2] += new PlacementTrace(places, sizes, seed).average(other, counted) / SEEDS.length;
    }
    print(what, averages);
    return averages;
  }

  /** Of what the free GPUs could have given to each container of several. */
  private static double joined(MachineTopology machine, Placer placer) {
    var shares = new ArrayList<Double>();
    Placer watched =
        (free, size) -> {
          List<Integer> chosen = placer.place(free, size);
          if (size > 1) {
            int best = best(machine, free, size);
            shares.add((double) Bandwidth.of(machine, mask(chosen)) / best);
          }
          return chosen;
        };
    for (long seed : SEEDS) {
      new PlacementTrace(8, GPU_SIZES, seed).average(watched, _ -> 0);
    }
    return shares.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static int best(MachineTopology machine, List<Integer> free, int size) {
    int best = 0;
    int may = mask(free);
    for (int gpus = 0; gpus < 1 << machine.size(); gpus++) {
      if ((gpus & ~may) == 0 && Integer.bitCount(gpus) == size) {
        best = Math.max(best, Bandwidth.of(machine, gpus));
      }
    }
    return best;
  }

  private static int mask(List<Integer> gpus) {
    return gpus.stream().mapToInt(i -> 1 << i).sum();
  }

  private static Set<String> gpus(List<Integer> indices) {
    return indices.stream().map(i -> MachineTopology.gpu(i).value()).collect(Collectors.toSet());
  }

  private static List<Integer> indices(List<String> gpus) {
    return gpus.stream().map(id -> Integer.valueOf(id.substring(4))).toList();
  }

  private static List<Candidate> parts(int gpus, int each) {
    var parts = new ArrayList<Candidate>();
    for (int i = 0; i < gpus * each; i++) {
      parts.add(new Candidate("MIG-" + i, "MIG-" + i, new GpuUuid("GPU-" + i / each), null, false));
    }
    return parts;
  }

  private static void print(String what, double[] values) {
    System.out.println(
        String.format(
            Locale.ROOT, "| %s | %.3f | %.3f | %.3f |", what, values[0], values[1], values[2]));
  }
}
