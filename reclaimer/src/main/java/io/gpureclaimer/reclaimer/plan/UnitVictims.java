package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.List;

/**
 * Workloads to reclaim so that all members of a unit can run.
 *
 * @param served all members, the largest first
 * @param victims none if enough is free
 */
record UnitVictims(List<ServedPod> served, List<Due> victims) {
  UnitVictims {
    served = List.copyOf(served);
    victims = List.copyOf(victims);
  }

  /** See {@link ExpectedLoss}. */
  long loss() {
    return ExpectedLoss.ofAll(victims);
  }

  /** The member that gets devices of a victim, or the largest where none is on its nodes. */
  ServedPod servedBy(Due victim) {
    return served.stream()
        .filter(each -> each.mayGetDevicesOf(victim))
        .findFirst()
        .orElseGet(served::getFirst);
  }

  /**
   * A pending pod that can run.
   *
   * @param node where
   */
  record ServedPod(Demand demand, String node) {
    private boolean mayGetDevicesOf(Due victim) {
      return demand.devices().keySet().stream()
          .anyMatch(each -> victim.workload().heldOn(node, each) > 0);
    }
  }
}
