package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.counters.CountersWatch;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** For a human who wants to know what the agent sees. */
@Controller("/status")
final class StatusController {
  private final LatestSnapshot latest;
  private final CountersWatch counters;
  private final SamplingConfig sampling;

  StatusController(LatestSnapshot latest, CountersWatch counters, SamplingConfig sampling) {
    this.latest = latest;
    this.counters = counters;
    this.sampling = sampling;
  }

  @Get(produces = MediaType.TEXT_HTML)
  String status() {
    return StatusPage.of(
        latest.last(), latest.readiness(), counters.standing(), sampling.whyNoLedger());
  }
}
