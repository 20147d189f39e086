package io.gpureclaimer.deviceplugin.allocation.preference;

import java.util.BitSet;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Takes shares one after the other, each of the device that the policy likes best by then. */
final class ShareChoice implements Choice {
  private final DeviceGroups devices;
  private final SharePolicy policy;
  private final DeviceGroups parents;

  ShareChoice(DeviceGroups devices, SharePolicy policy, DeviceGroups parents) {
    this.devices = devices;
    this.policy = policy;
    this.parents = parents;
  }

  /**
   * Allocated share of a device.
   *
   * @param number of the device
   * @param given shares, those of this choice among them
   * @param picked shares in this choice
   * @param left shares that may still be chosen
   * @param parentGiven shares of all devices of its GPU, before this choice
   */
  private record ShareLoad(int number, int given, int picked, int left, int parentGiven) {
    ShareLoad afterOneMore() {
      return new ShareLoad(number, given + 1, picked + 1, left - 1, parentGiven);
    }
  }

  @Override
  public BitSet of(BitSet free, BitSet required, int size) {
    var left = (BitSet) free.clone();
    left.andNot(required);
    int[] quota = new int[devices.count()];
    PriorityQueue<ShareLoad> loads = loads(free, required, left);
    for (int i = required.cardinality(); i < size; i++) {
      ShareLoad best = loads.remove();
      quota[best.number()]++;
      if (best.left() > 1) {
        loads.add(best.afterOneMore());
      }
    }
    var chosen = (BitSet) required.clone();
    left.stream().filter(position -> quota[devices.groupOf(position)]-- > 0).forEach(chosen::set);
    return chosen;
  }

  private PriorityQueue<ShareLoad> loads(BitSet free, BitSet required, BitSet left) {
    int[] all = devices.sizes();
    int[] leftOf = devices.count(left);
    int[] picked = devices.count(required);
    int[] given = parents.sizes();
    int[] parentFree = parents.count(free);
    int[] parentOf = parentOf();
    var loads = new PriorityQueue<>(order());
    for (int device = 0; device < all.length; device++) {
      if (leftOf[device] > 0) {
        int parent = parentOf[device];
        loads.add(
            new ShareLoad(
                device,
                all[device] - leftOf[device],
                picked[device],
                leftOf[device],
                given[parent] - parentFree[parent]));
      }
    }
    return loads;
  }

  private int[] parentOf() {
    int[] parentOf = new int[devices.count()];
    for (int position = 0; position < devices.positions(); position++) {
      parentOf[devices.groupOf(position)] = parents.groupOf(position);
    }
    return parentOf;
  }

  private Comparator<ShareLoad> order() {
    Comparator<ShareLoad> byPolicy =
        switch (policy) {
          case DISTRIBUTED ->
              Comparator.comparingInt(ShareLoad::given)
                  .thenComparingInt(ShareLoad::picked)
                  .thenComparingInt(ShareLoad::parentGiven);
          case PACKED ->
              Comparator.comparingInt(ShareLoad::given)
                  .thenComparingInt(ShareLoad::parentGiven)
                  .reversed();
          case SPREAD ->
              Comparator.comparingInt(ShareLoad::picked)
                  .thenComparingInt(ShareLoad::given)
                  .thenComparingInt(ShareLoad::parentGiven);
        };
    return byPolicy.thenComparingInt(ShareLoad::number);
  }
}
