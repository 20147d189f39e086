package io.gpureclaimer.exporter.schedule;

import io.micronaut.context.annotation.Context;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;

/**
 * Gives back the memory that the start needed and nothing later does. Without this the heap stays
 * as large as the start made it, for years: the agent makes too little garbage for a full
 * collection.
 */
@Context
@Order(10)
class StartEndJob {

  /** Once, a few milliseconds long. */
  @Scheduled(initialDelay = "15s")
  void tick() {
    System.gc();
  }
}
