package io.gpureclaimer.deviceplugin.allocation.preference;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever the kubelet asks, the answer is one that helps, or none. */
class PreferredAllocationPropertyTest {

  @Property
  void anAnswerIsAChoiceOfThatSize_orNone(
      @ForAll @IntRange(min = 0, max = 70) int gpus,
      @ForAll @IntRange(min = 1, max = 8) int each,
      @ForAll boolean shared,
      @ForAll SharePolicy policy,
      @ForAll long seed,
      @ForAll @IntRange(min = -3, max = 40) int size) {
    var random = new Random(seed);
    List<Candidate> offered = offered(gpus, each, shared);
    Topology topology =
        gpus > 1 && gpus <= 20 ? MachineTopology.random(gpus, random).topology() : Topology.UNKNOWN;
    Set<String> available = some(offered, random, "GPU-gone");
    Set<String> required = random.nextInt(3) == 0 ? some(offered, random, "GPU-lost") : Set.of();

    List<String> chosen =
        PreferredAllocation.of(offered, topology, policy).choose(available, required, size);

    Set<String> known = new HashSet<>(offered.stream().map(Candidate::id).toList());
    known.retainAll(available);
    Set<String> must = new HashSet<>(known);
    must.retainAll(required);
    boolean possible = size > 0 && size <= known.size() && must.size() <= size;
    assertThat(chosen).doesNotHaveDuplicates().hasSize(possible ? size : 0);
    if (possible) {
      assertThat(known).containsAll(chosen);
      assertThat(chosen).containsAll(must);
    }
  }

  @Property(tries = 200)
  void theSameQuestionHasTheSameAnswer_whateverTheOrderOfTheIds(@ForAll long seed) {
    var random = new Random(seed);
    MachineTopology machine = MachineTopology.random(2 + random.nextInt(14), random);
    List<String> free = new ArrayList<>(machine.candidates().stream().map(Candidate::id).toList());
    int size = 1 + random.nextInt(free.size());
    List<String> once = machine.preference().choose(new LinkedHashSet<>(free), Set.of(), size);
    Collections.shuffle(free, random);

    assertThat(machine.preference().choose(new LinkedHashSet<>(free), Set.of(), size))
        .isEqualTo(once);
  }

  private static List<Candidate> offered(int gpus, int each, boolean shared) {
    var offered = new ArrayList<Candidate>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      GpuUuid uuid = MachineTopology.gpu(gpu);
      for (int i = 0; i < each; i++) {
        String id = each == 1 && !shared ? uuid.value() : uuid + "::" + i;
        String device = shared ? uuid.value() : id;
        offered.add(new Candidate(id, device, uuid, gpu % 2, shared));
      }
    }
    return offered;
  }

  private static Set<String> some(List<Candidate> offered, Random random, String stranger) {
    var some = new HashSet<String>();
    some.add(stranger);
    int share = random.nextInt(4);
    offered.stream()
        .filter(_ -> random.nextInt(4) <= share)
        .forEach(candidate -> some.add(candidate.id()));
    return some;
  }
}
