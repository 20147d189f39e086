package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.activity.Observation;
import io.gpureclaimer.reclaimer.cluster.Leadership;
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
  private final Evictor evictor;

  public Performer(Leadership leadership, WarningWriter warnings, Evictor evictor) {
    this.leadership = leadership;
    this.warnings = warnings;
    this.evictor = evictor;
  }

  /**
   * Does what the plan says.
   *
   * @param seen what the plan was made from
   * @return one deed for each step that asks for one, in the order of the plan
   */
  public List<Deed> perform(Plan plan, Observation.Seen seen) {
    var deeds = new ArrayList<Deed>();
    for (Plan.Entry entry : plan.entries()) {
      if (entry.step() instanceof Step.Wait) {
        continue;
      }
      deeds.add(leadership.isHeld() ? perform(entry, seen) : new Deed.NotLeading(entry.step()));
    }
    return deeds;
  }

  private Deed perform(Plan.Entry entry, Observation.Seen seen) {
    return switch (entry.step()) {
      case Step.Warn warn -> warnings.give(warn);
      case Step.Withdraw withdraw -> warnings.takeBack(withdraw);
      case Step.Evict evict -> evictor.evict(evict, entry.reason(), seen);
      case Step.Wait wait -> throw new IllegalStateException("nothing to perform in " + wait);
    };
  }
}
