package io.gpureclaimer.reclaimer.plan;

import java.util.List;

/**
 * What to do now, in this order.
 *
 * @param entries withdrawals, then warnings, then actions, then what waits
 */
public record Plan(List<PlanEntry> entries) {
  public Plan {
    entries = List.copyOf(entries);
  }

  /**
   * One step and why.
   *
   * @param step what to do
   * @param reason one sentence for people
   */
  public record PlanEntry(Step step, String reason) {}
}
