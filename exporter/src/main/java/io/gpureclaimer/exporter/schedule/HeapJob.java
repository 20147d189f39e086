package io.gpureclaimer.exporter.schedule;

import io.micronaut.context.annotation.Context;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/**
 * Releases memory after the start, and old objects of the small young generation. The agent makes
 * too little garbage for a full collection of its own: without these the heap stays as large as the
 * start made it and grows to its limit over days.
 */
@Context
@Order(10)
class HeapJob {

  /** Takes some 30 ms, in which nothing is served. */
  @Scheduled(initialDelay = "15s", fixedDelay = "5m")
  void tick() {
    System.gc();
  }
}
