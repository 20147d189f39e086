package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.act.Deed;
import io.gpureclaimer.reclaimer.act.LookAgain;
import io.gpureclaimer.reclaimer.act.Witness;
import io.gpureclaimer.reclaimer.plan.Memory;
import io.gpureclaimer.reclaimer.plan.Step;
import java.util.function.BiFunction;

/**
 * Remembers every eviction before it is tried, and forgets it when it is known not to have
 * happened: one whose answer is lost may have been heard. Confined to one thread.
 */
final class Attempts implements Witness {
  private final BiFunction<Memory, Step.Evict, Memory> after;
  private final Witness told;
  private Memory memory;
  private Memory before;

  /**
   * Begins with nothing tried.
   *
   * @param after what is remembered after an eviction
   * @param told sees everything as well
   */
  Attempts(Memory memory, BiFunction<Memory, Step.Evict, Memory> after, Witness told) {
    this.memory = memory;
    this.before = memory;
    this.after = after;
    this.told = told;
  }

  @Override
  public void looksAgain(LookAgain look) {
    told.looksAgain(look);
  }

  @Override
  public void begins(Step step) {
    told.begins(step);
    before = memory;
    if (step instanceof Step.Evict evict) {
      memory = after.apply(memory, evict);
    }
  }

  @Override
  public void did(Deed deed) {
    switch (deed) {
      case Deed.Done _ -> {}
      case Deed.Rehearsed _, Deed.Spared _, Deed.Postponed _, Deed.Failed _, Deed.NotLeading _ ->
          memory = before;
    }
    told.did(deed);
  }

  /** What is remembered now. */
  Memory memory() {
    return memory;
  }
}
