package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.faults.ActualNode.DriverCondition;
import io.gpureclaimer.exporter.faults.ActualNode.Kubelet;
import io.gpureclaimer.exporter.faults.ActualNode.MigDivision;
import java.time.Duration;
import java.util.Set;

/** Checks readiness of the agent, and what the kubelet would allocate to a pod. */
final class AllocationCheck {
  /** A GPU that was ill has to be well for a while. */
  private static final Duration CONVALESCENCE = Duration.ofSeconds(15);

  private final CheckFindings findings;

  AllocationCheck(CheckFindings findings) {
    this.findings = findings;
  }

  void see(boolean ready, AgentOutput look) {
    if (!ready
        && look.surely(
            world ->
                world.driver() == DriverCondition.LOADED
                    && world.kubelet() == Kubelet.ANSWERS
                    && world.anyAnswers())) {
      findings.require(look, false, "it is ready: driver and kubelet are there");
    }
    if (ready && look.surely(world -> world.driver() != DriverCondition.LOADED)) {
      findings.require(look, false, "it is not ready: the driver is not there");
    }
  }

  void see(Set<String> healthy, AgentOutput look) {
    for (int gpu = 0; gpu < ActualNode.GPUS; gpu++) {
      int which = gpu;
      if (healthy.contains(FaultyNodeSimulation.uuid(gpu))) {
        findings.require(
            look,
            !look.surely(
                world ->
                    world.driver() == DriverCondition.LOADED
                        && isIll(world, which)
                        && world.kubelet() != Kubelet.GONE),
            gpu + " is offered");
      } else {
        findings.saw("no offer");
        findings.require(
            look,
            !look.surely(
                CONVALESCENCE,
                world ->
                    world.driver() == DriverCondition.LOADED
                        && !isIll(world, which)
                        && !world.isShared(which)
                        && (which != ActualNode.DIVISIBLE || world.division() == MigDivision.WHOLE)
                        && world.kubelet() == Kubelet.ANSWERS),
            gpu + " is not offered");
      }
    }
  }

  private static boolean isIll(ActualNode world, int gpu) {
    return switch (world.cards().get(gpu).fault()) {
      case LOST, SICK, REMOVED -> true;
      case NONE, HANGS, NO_UTILIZATION, NO_POWER -> false;
    };
  }
}
