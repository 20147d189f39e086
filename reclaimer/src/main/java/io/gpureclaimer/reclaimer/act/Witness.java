package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.plan.Step;

/** Sees what is done while it is done. The next step may find the API server gone. */
public interface Witness {

  /** The step is tried now. */
  void begins(Step step);

  /** This is what came of it. */
  void did(Deed deed);
}
