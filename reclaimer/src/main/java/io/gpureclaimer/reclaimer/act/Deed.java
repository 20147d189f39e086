package io.gpureclaimer.reclaimer.act;

import io.gpureclaimer.reclaimer.plan.Step;
import java.time.Instant;
import java.util.Optional;

/** What came of one step of a plan. */
public sealed interface Deed {

  Step step();

  /** The name of the act that was tried or announced; nothing where none follows. */
  default Optional<ActionId> actionId() {
    return ActionId.of(step());
  }

  /** It is done, and the API server has confirmed it. */
  record Done(Step step) implements Deed {}

  /** It would have been done; nothing was written. */
  record Rehearsed(Step step) implements Deed {}

  /**
   * Looked at again, it should not be done after all.
   *
   * @param why what was found
   */
  record Spared(Step step, String why) implements Deed {}

  /**
   * It cannot be done yet.
   *
   * @param notBefore when it may be tried again
   * @param why who says so
   */
  record Postponed(Step step, Instant notBefore, String why) implements Deed {}

  /**
   * It was tried and refused; nothing has changed.
   *
   * @param why what the API server said
   */
  record Failed(Step step, String why) implements Deed {}

  /** This replica may not write any more. */
  record NotLeading(Step step) implements Deed {}
}
