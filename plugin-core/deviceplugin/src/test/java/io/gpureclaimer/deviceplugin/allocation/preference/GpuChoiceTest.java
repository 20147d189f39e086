package io.gpureclaimer.deviceplugin.allocation.preference;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.poll.Topology;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuChoiceTest {

  @Test
  void takesABridgedPair_whenTwoAreAskedFor() {
    assertThat(chosen(MachineTopology.pairs(4), Set.of(0, 1, 2, 3, 6), 2)).containsExactly(2, 6);
  }

  @Test
  void takesTheSingleGpuWhosePairIsBrokenAlready() {
    assertThat(chosen(MachineTopology.pairs(4), Set.of(0, 1, 4, 5, 7), 1)).containsExactly(7);
  }

  @Test
  void takesGpusOfOneNumaNode_whenNvlinksAreAllTheSame() {
    assertThat(chosen(MachineTopology.nvswitch(8), Set.of(0, 2, 4, 5, 6, 7), 4))
        .containsExactly(4, 5, 6, 7);
  }

  @Test
  void keepsTheUntouchedNumaNodeWhole_whenNvlinksAreAllTheSame() {
    assertThat(chosen(MachineTopology.nvswitch(8), Set.of(0, 1, 2, 3, 6, 7), 2))
        .containsExactly(6, 7);
    assertThat(chosen(MachineTopology.nvswitch(8), Set.of(0, 1, 2, 3, 6), 1)).containsExactly(6);
  }

  @Test
  void takesFromTheIslandThatIsBrokenAlready() {
    assertThat(chosen(MachineTopology.interleavedQuads(), Set.of(0, 2, 4, 1, 3, 5, 7), 1))
        .containsExactly(0);
  }

  @Test
  void leavesAPairWhole_evenIfMoreTiesAreCutInAnIslandThatIsBrokenAlready() {
    assertThat(chosen(MachineTopology.pairAndQuad(), Set.of(0, 1, 2, 3, 4), 1)).containsExactly(2);
  }

  @Test
  void addsToTheRequiredOnes() {
    PreferredAllocation preference = MachineTopology.interleavedQuads().preference();

    assertThat(preference.choose(ids(Set.of(0, 1, 2, 3, 4, 5)), ids(Set.of(3)), 3))
        .containsExactly("GPU-01", "GPU-03", "GPU-05");
  }

  @Test
  void usesNumaNodes_whenTheTopologyIsNotKnown() {
    List<Candidate> gpus = MachineTopology.nvswitch(8).candidates();
    var preference = PreferredAllocation.of(gpus, Topology.UNKNOWN, SharePolicy.DISTRIBUTED);

    assertThat(preference.choose(ids(Set.of(0, 3, 4, 5)), Set.of(), 2))
        .containsExactly("GPU-00", "GPU-03");
  }

  /** An own way to count what joins GPUs, by bits rather than by growing choices. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5, 8, 11, 16})
  void noOtherChoiceIsJoinedBetter(int gpus) {
    var random = new Random(gpus);
    for (int round = 0; round < 6; round++) {
      MachineTopology machine =
          round == 0 ? MachineTopology.nvswitch(gpus) : MachineTopology.random(gpus, random);
      for (int size = 1; size <= gpus; size++) {
        Set<Integer> required = random.nextBoolean() || size < 2 ? Set.of() : Set.of(1);
        List<Integer> chosen =
            positions(
                machine
                    .preference()
                    .choose(
                        ids(IntStream.range(0, gpus).boxed().collect(Collectors.toSet())),
                        ids(required),
                        size));

        assertThat(chosen).hasSize(size).containsAll(required);
        assertThat(Bandwidth.of(machine, mask(chosen)))
            .isEqualTo(Bandwidth.best(machine, size, mask(List.copyOf(required))));
      }
    }
  }

  @Test
  void comesCloseToTheBest_whenThereAreTooManyChoices() {
    var random = new Random(24);
    for (int round = 0; round < 2; round++) {
      MachineTopology machine = MachineTopology.random(20, random);
      Set<Integer> all = IntStream.range(0, 20).boxed().collect(Collectors.toSet());

      int reached = Bandwidth.of(machine, mask(chosen(machine, all, 10)));

      assertThat(reached).isGreaterThan(Bandwidth.best(machine, 10, 0) * 9 / 10);
    }
  }

  private static List<Integer> chosen(MachineTopology machine, Set<Integer> free, int size) {
    return positions(machine.preference().choose(ids(free), Set.of(), size));
  }

  private static Set<String> ids(Set<Integer> positions) {
    return positions.stream().map(i -> MachineTopology.gpu(i).value()).collect(Collectors.toSet());
  }

  private static List<Integer> positions(List<String> ids) {
    return ids.stream().map(id -> Integer.valueOf(id.substring(4))).toList();
  }

  private static int mask(List<Integer> positions) {
    return positions.stream().mapToInt(i -> 1 << i).sum();
  }
}
