package io.gpureclaimer.reclaimer.audit;

/** Hears of every look, before anything is done. */
public interface Listener {

  /**
   * What a cycle has seen and planned.
   *
   * @param leads whether this replica speaks for all of them
   */
  void looked(CycleReport report, boolean leads);
}
