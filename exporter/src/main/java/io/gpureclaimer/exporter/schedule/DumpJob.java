package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.config.DumpConfig;
import io.gpureclaimer.exporter.dump.Dumps;
import io.gpureclaimer.exporter.dump.Dumps.Bounds;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.scheduling.annotation.Scheduled;
import java.time.Duration;

/**
 * Keeps what was scraped, on a thread of its own: neither a scrape nor a pass waits for the disk.
 */
@Context
@Order(10)
@Requires(property = "dump.enabled", value = "true")
class DumpJob {
  /** A day of one each second is fewer. */
  private static final int MOST_FILES = 100_000;

  private static final long BYTES_PER_MIB = 1 << 20;

  private final LatestSnapshot latest;
  private final Dumps dumps;

  DumpJob(LatestSnapshot latest, DumpConfig dump) {
    this.latest = latest;
    var bounds =
        new Bounds(
            Duration.ofHours(dump.retentionHours()), MOST_FILES, dump.limitMib() * BYTES_PER_MIB);
    this.dumps = new Dumps(dump.directory(), bounds, dump.compression());
  }

  /** However often a snapshot was scraped, it is written once. */
  @Scheduled(fixedDelay = "${sampling.interval}", scheduler = "dumps")
  void tick() {
    latest.scraped().ifPresent(dumps::write);
  }
}
