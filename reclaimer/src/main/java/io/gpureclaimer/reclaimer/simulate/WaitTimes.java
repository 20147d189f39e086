package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.simulate.SimulationResult.WaitFigures;
import java.util.ArrayList;
import java.util.List;

/** Times for which pods were pending, in seconds. Confined to the thread of the simulation. */
final class WaitTimes {
  private final List<Integer> served = new ArrayList<>();
  private final List<Integer> unserved = new ArrayList<>();

  /** Adds the time of a pod that got its GPUs. */
  void add(long seconds) {
    served.add(Math.toIntExact(seconds));
  }

  /** Adds the time of a pod that did not get its GPUs: it would have waited longer. */
  void addUnserved(long seconds) {
    unserved.add(Math.toIntExact(seconds));
  }

  WaitFigures figures() {
    return new WaitFigures(served.stream().sorted().toList(), unserved.stream().sorted().toList());
  }
}
