package io.gpureclaimer.deviceplugin.allocation.preference;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PreferredAllocationTest {

  @Test
  void choosesNone_whenThereIsNoSuchChoice() {
    PreferredAllocation preference = MachineTopology.nvswitch(8).preference();
    Set<String> free = Set.of("GPU-00", "GPU-01");

    assertThat(preference.choose(free, Set.of(), 3)).isEmpty();
    assertThat(preference.choose(free, Set.of(), 0)).isEmpty();
    assertThat(preference.choose(free, Set.of(), -1)).isEmpty();
    assertThat(preference.choose(free, free, 1)).isEmpty();
    assertThat(preference.choose(Set.of(), Set.of(), 1)).isEmpty();
  }

  @Test
  void leavesOutOfAccountWhatIsNotThere() {
    PreferredAllocation preference = MachineTopology.nvswitch(8).preference();

    assertThat(preference.choose(Set.of("GPU-00", "GPU-x"), Set.of("GPU-07", "GPU-y"), 1))
        .containsExactly("GPU-00");
  }

  @Test
  void fillsGpusThatAreDividedAlready_theFullestFirst() {
    List<Candidate> parts = parts(4, 7);
    Set<String> free = new HashSet<>(ids(parts));
    taken(free, "0/0 1/0 1/1 1/2 1/3 1/4");

    assertThat(chosen(parts, free, 1)).containsExactly("1/5");
    assertThat(chosen(parts, free, 3)).containsExactly("0/1", "1/5", "1/6");
    assertThat(chosen(parts, free, 10))
        .containsExactly("0/1", "0/2", "0/3", "0/4", "0/5", "0/6", "1/5", "1/6", "2/0", "2/1");
  }

  @Test
  void dividesTheSmallestGpuThatSuffices() {
    var parts = new ArrayList<Candidate>();
    parts.addAll(partsOf(0, 7));
    parts.addAll(partsOf(1, 2));
    parts.addAll(partsOf(2, 3));

    assertThat(chosen(parts, Set.copyOf(ids(parts)), 2)).containsExactly("1/0", "1/1");
    assertThat(chosen(parts, Set.copyOf(ids(parts)), 3)).containsExactly("2/0", "2/1", "2/2");
  }

  @Test
  void sharesAreTakenOfTheLeastUsed_whenDistributed() {
    Set<String> free = free(3, 3, "0::0 0::1 1::0");

    assertThat(shares(SharePolicy.DISTRIBUTED, free, 1)).containsExactly("2::0");
    assertThat(shares(SharePolicy.DISTRIBUTED, free, 3)).containsExactly("1::1", "2::0", "2::1");
  }

  @Test
  void sharesAreTakenOfTheMostUsed_whenPacked() {
    Set<String> free = free(3, 3, "0::0 0::1 1::0");

    assertThat(shares(SharePolicy.PACKED, free, 1)).containsExactly("0::2");
    assertThat(shares(SharePolicy.PACKED, free, 4)).containsExactly("0::2", "1::1", "1::2", "2::0");
  }

  @Test
  void eachShareIsOfAnotherGpu_whenSpread() {
    Set<String> free = free(3, 3, "0::0 0::1 1::0");

    assertThat(shares(SharePolicy.SPREAD, free, 3)).containsExactly("0::2", "1::1", "2::0");
  }

  @Test
  void theSharesOfRequiredOnesCount() {
    Set<String> free = free(2, 4, "");
    var preference = PreferredAllocation.of(shared(2, 4), Topology.UNKNOWN, SharePolicy.SPREAD);

    assertThat(preference.choose(free, Set.of("0::3"), 2)).containsExactly("0::3", "1::0");
  }

  @Test
  void tenThousandSharesAreChosenFrom() {
    List<Candidate> shares = shared(8, 1250);
    var preference = PreferredAllocation.of(shares, Topology.UNKNOWN, SharePolicy.DISTRIBUTED);

    assertThat(preference.choose(Set.copyOf(ids(shares)), Set.of(), 16))
        .containsExactlyElementsOf(
            List.of(
                "0::0", "0::1", "1::0", "1::1", "2::0", "2::1", "3::0", "3::1", "4::0", "4::1",
                "5::0", "5::1", "6::0", "6::1", "7::0", "7::1"));
  }

  @Test
  void theFirstAreTaken_whenThereAreMoreGpusThanAnyNodeHas() {
    var gpus = new ArrayList<Candidate>();
    for (int i = 0; i < 100; i++) {
      gpus.add(new Candidate("GPU-" + i, "GPU-" + i, new GpuUuid("GPU-" + i), null, false));
    }
    var preference = PreferredAllocation.of(gpus, Topology.UNKNOWN, SharePolicy.DISTRIBUTED);

    assertThat(preference.choose(Set.copyOf(ids(gpus)), Set.of("GPU-50"), 3))
        .containsExactly("GPU-0", "GPU-1", "GPU-50");
  }

  private static List<String> shares(SharePolicy policy, Set<String> free, int size) {
    return PreferredAllocation.of(shared(3, 3), Topology.UNKNOWN, policy)
        .choose(free, Set.of(), size);
  }

  private static Set<String> free(int gpus, int replicas, String taken) {
    Set<String> free = new HashSet<>(ids(shared(gpus, replicas)));
    taken(free, taken);
    return free;
  }

  private static void taken(Set<String> free, String ids) {
    Arrays.asList(ids.split(" ", -1)).forEach(free::remove);
  }

  private static List<Candidate> shared(int gpus, int replicas) {
    var shares = new ArrayList<Candidate>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      for (int i = 0; i < replicas; i++) {
        var uuid = new GpuUuid("GPU-" + gpu);
        shares.add(new Candidate(gpu + "::" + i, uuid.value(), uuid, null, true));
      }
    }
    return shares;
  }

  private static List<String> chosen(List<Candidate> parts, Set<String> free, int size) {
    return PreferredAllocation.of(parts, Topology.UNKNOWN, SharePolicy.DISTRIBUTED)
        .choose(free, Set.of(), size);
  }

  private static List<Candidate> parts(int gpus, int each) {
    var parts = new ArrayList<Candidate>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      parts.addAll(partsOf(gpu, each));
    }
    return parts;
  }

  private static List<Candidate> partsOf(int gpu, int count) {
    var parts = new ArrayList<Candidate>();
    for (int i = 0; i < count; i++) {
      String id = gpu + "/" + i;
      parts.add(new Candidate(id, "MIG-" + id, new GpuUuid("GPU-" + gpu), null, false));
    }
    return parts;
  }

  private static List<String> ids(List<Candidate> candidates) {
    return candidates.stream().map(Candidate::id).toList();
  }
}
