package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.plan.Step;

/** Sees what is done while it is done. The next step may find the API server gone. */
@FunctionalInterface
public interface Witness {

  /** The step is tried now. */
  default void begins(Step step) {}

  /** The pod of the step was looked at again. */
  default void looksAgain(LookAgain look) {}

  /** This is what came of it. */
  void did(Deed deed);
}
