package io.gpureclaimer.exporter.collect;

/** Asks one GPU one family of questions. Runs on the driver thread; two GPUs may take turns. */
public interface Collector {

  /** What the agent's own metrics call it. */
  String name();

  /** Asks, and enters what was answered. */
  void collect(Device device, Readings into);
}
