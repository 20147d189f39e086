package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.config.DumpConfig;
import io.gpureclaimer.exporter.dump.Dumps;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Keeps what was scraped, on a thread of its own: neither a scrape nor a pass waits for the disk.
 */
@Singleton
@Requires(property = "dump.enabled", value = "true")
class DumpJob {
  private final LatestSnapshot latest;
  private final Dumps dumps;

  DumpJob(LatestSnapshot latest, DumpConfig dump) {
    this.latest = latest;
    this.dumps =
        new Dumps(dump.directory(), Duration.ofHours(dump.retentionHours()), dump.compression());
  }

  /** However often a snapshot was scraped, it is written once. */
  @Scheduled(fixedDelay = "${sampling.interval}", scheduler = "dumps")
  void tick() {
    latest.scraped().ifPresent(dumps::write);
  }
}
