package io.gpureclaimer.deviceplugin.allocation.preference;

import io.gpureclaimer.nvml.poll.Topology;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the preferred devices of one resource for {@code GetPreferredAllocation}. For any thread.
 */
public final class PreferredAllocation {
  private final List<Candidate> offered;
  private final Choice choice;

  private PreferredAllocation(List<Candidate> offered, Choice choice) {
    this.offered = List.copyOf(offered);
    this.choice = choice;
  }

  /**
   * Prepares the choices.
   *
   * @param offered all that the resource has, in the order of their indices
   * @param topology how the GPUs are wired
   * @param policy for what is shared
   */
  public static PreferredAllocation of(
      List<Candidate> offered, Topology topology, SharePolicy policy) {
    return new PreferredAllocation(offered, choice(offered, topology, policy));
  }

  private static Choice choice(List<Candidate> offered, Topology topology, SharePolicy policy) {
    if (offered.stream().anyMatch(Candidate::shared)) {
      return new ShareChoice(DeviceGroups.by(offered, Candidate::device), policy, parents(offered));
    }
    boolean parts = offered.stream().anyMatch(each -> !each.device().equals(each.gpu().value()));
    if (parts) {
      return new PackedChoice(parents(offered));
    }
    return offered.size() > AffinityMatrix.MOST
        ? new FirstDevicesChoice()
        : new GpuChoice(AffinityMatrix.of(offered, topology));
  }

  private static DeviceGroups parents(List<Candidate> offered) {
    return DeviceGroups.by(offered, Candidate::gpu);
  }

  /**
   * Which fit best. What is not offered, or not available, is left out of account, be it required
   * or not.
   *
   * @return {@code size} ids in the order of their indices, or none if there is no such choice
   */
  public List<String> choose(Set<String> available, Set<String> required, int size) {
    BitSet free = positions(available);
    BitSet chosen = positions(required);
    chosen.and(free);
    if (size <= 0 || size > free.cardinality() || size < chosen.cardinality()) {
      return List.of();
    }
    return ids(choice.of(free, chosen, size));
  }

  private BitSet positions(Set<String> ids) {
    var positions = new BitSet(offered.size());
    for (int i = 0; i < offered.size(); i++) {
      positions.set(i, ids.contains(offered.get(i).id()));
    }
    return positions;
  }

  private List<String> ids(BitSet chosen) {
    return chosen.stream().mapToObj(position -> offered.get(position).id()).toList();
  }

  /** Chooses the first devices: for more GPUs than a node has. */
  static final class FirstDevicesChoice implements Choice {
    @Override
    public BitSet of(BitSet free, BitSet required, int size) {
      var chosen = (BitSet) required.clone();
      for (int i = free.nextSetBit(0); chosen.cardinality() < size; i = free.nextSetBit(i + 1)) {
        chosen.set(i);
      }
      return chosen;
    }
  }
}
