package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.cluster.Leadership;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries out a plan, step by step, as long as this replica holds the lease. Confined to the thread
 * of the cycle.
 */
public final class Performer {
  private final Leadership leadership;
  private final WarningWriter warnings;
  private final Reclamation reclamation;

  public Performer(Leadership leadership, WarningWriter warnings, Reclamation reclamation) {
    this.leadership = leadership;
    this.warnings = warnings;
    this.reclamation = reclamation;
  }

  /**
   * Does what the plan says.
   *
   * @param seen what the plan was made from
   * @param witness sees each step and what comes of it
   * @return one deed for each step that asks for one, in the order of the plan
   */
  public List<Deed> perform(Plan plan, Observation.Seen seen, Witness witness) {
    var deeds = new ArrayList<Deed>();
    for (Plan.Entry entry : plan.entries()) {
      if (entry.step() instanceof Step.Wait) {
        continue;
      }
      witness.begins(entry.step());
      Deed deed = perform(entry.step(), seen, deeds, witness);
      deeds.add(deed);
      witness.did(deed);
    }
    return deeds;
  }

  private Deed perform(Step step, Observation.Seen seen, List<Deed> earlier, Witness witness) {
    if (!leadership.isHeld()) {
      return new Deed.NotLeading(step);
    }
    return switch (step) {
      case Step.Warn warn -> warnings.give(warn);
      case Step.Withdraw withdraw -> warnings.takeBack(withdraw);
      case Step.Evict evict when earlier.stream().anyMatch(deed -> leavesShort(deed, evict)) ->
          new Deed.Spared(evict, "its GPUs alone would not do, and another pod keeps its own");
      case Step.Evict evict -> reclamation.of(evict, seen, witness);
      case Step.Wait wait -> throw new IllegalStateException("nothing to perform in " + wait);
    };
  }

  /** Whether an earlier deed of the plan has left the pod without GPUs for which this one goes. */
  private static boolean leavesShort(Deed earlier, Step.Evict next) {
    boolean gone = earlier instanceof Deed.Done || earlier instanceof Deed.Rehearsed;
    return !gone
        && next.forWhom().isPresent()
        && earlier.step() instanceof Step.Evict evict
        && evict.forWhom().equals(next.forWhom());
  }
}
