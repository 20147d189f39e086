package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.counters.CountersWatch;
import io.gpureclaimer.exporter.exposition.own.OwnMetrics;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;
import java.time.Clock;

/** Reads the counters file on its own thread: a hanging file system delays no sampling pass. */
@Context
@Order(10)
class CountersJob {
  private final CountersWatch watch;
  private final SighupFlag hangUp;
  private final OwnMetrics own;
  private final Clock clock;

  CountersJob(CountersWatch watch, SighupFlag hangUp, OwnMetrics own, Clock clock) {
    this.watch = watch;
    this.hangUp = hangUp;
    this.own = own;
    this.clock = clock;
    watch.logContent();
    own.reloaded(clock.instant());
  }

  /** A hang-up has it judged at once. */
  @Scheduled(
      initialDelay = "${counters.refresh-after}",
      fixedDelay = "${counters.refresh-after}",
      scheduler = "counters")
  void tick() {
    switch (watch.refresh(hangUp.hasCome())) {
      case LOADED -> own.reloaded(clock.instant());
      case REJECTED -> own.reloadRefused();
      case UNCHANGED -> {}
    }
  }
}
