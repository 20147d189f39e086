package io.gpureclaimer.reclaimer.audit;

/** Hears of every look, before anything is done. */
public interface Listener {

  /** What a cycle has seen and planned. */
  void looked(CycleReport report);
}
