package io.gpureclaimer.exporter.activity;

/** What a device's answers say about its being at work. */
sealed interface Work {

  /** They say nothing: no idleness may be concluded. */
  record Unknown() implements Work {}

  /**
   * They do.
   *
   * @param active whether there is a sign of work
   * @param share of the time since the last pass in which it worked, from 0 to 1
   */
  record Known(boolean active, double share) implements Work {}
}
