package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.faults.World.Division;
import io.gpureclaimer.exporter.faults.World.Driver;
import io.gpureclaimer.exporter.faults.World.Kubelet;
import java.time.Duration;
import java.util.Set;

/** Looks at whether the agent is ready, and what the kubelet would give to a pod. */
final class OfferWitness {
  /** A GPU that was ill has to be well for a while. */
  private static final Duration CONVALESCENCE = Duration.ofSeconds(15);

  private final Findings findings;

  OfferWitness(Findings findings) {
    this.findings = findings;
  }

  void see(boolean ready, Look look) {
    if (!ready
        && look.surely(
            world ->
                world.driver() == Driver.LOADED
                    && world.kubelet() == Kubelet.ANSWERS
                    && world.anyAnswers())) {
      findings.require(look, false, "it is ready: driver and kubelet are there");
    }
    if (ready && look.surely(world -> world.driver() != Driver.LOADED)) {
      findings.require(look, false, "it is not ready: the driver is not there");
    }
  }

  void see(Set<String> healthy, Look look) {
    for (int gpu = 0; gpu < World.GPUS; gpu++) {
      int which = gpu;
      if (healthy.contains(Node.uuid(gpu))) {
        findings.require(
            look,
            !look.surely(
                world ->
                    world.driver() == Driver.LOADED
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
                    world.driver() == Driver.LOADED
                        && !isIll(world, which)
                        && !world.isShared(which)
                        && (which != World.DIVISIBLE || world.division() == Division.WHOLE)
                        && world.kubelet() == Kubelet.ANSWERS),
            gpu + " is not offered");
      }
    }
  }

  private static boolean isIll(World world, int gpu) {
    return switch (world.cards().get(gpu).fault()) {
      case LOST, SICK, REMOVED -> true;
      case NONE, HANGS, NO_UTILIZATION, NO_POWER -> false;
    };
  }
}
