package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.common.program.ReadyPart;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.counters.CountersWatch;
import io.gpureclaimer.exporter.exposition.Hearing;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.List;
import java.util.Optional;

/** For a human who wants to know what the agent sees. */
@Controller("/status")
final class StatusController {
  private final List<ReadyPart> parts;
  private final LatestSnapshot latest;
  private final CountersWatch counters;
  private final XidLog xids;
  private final SamplingConfig sampling;
  private final Hearing hearing;
  private final Optional<PluginStatus.Source> plugin;

  StatusController(
      List<ReadyPart> parts,
      LatestSnapshot latest,
      CountersWatch counters,
      XidLog xids,
      SamplingConfig sampling,
      Hearing hearing,
      Optional<PluginStatus.Source> plugin) {
    this.parts = parts;
    this.latest = latest;
    this.counters = counters;
    this.xids = xids;
    this.sampling = sampling;
    this.hearing = hearing;
    this.plugin = plugin;
  }

  @Get(produces = MediaType.TEXT_HTML)
  String status() {
    return StatusPage.of(
        Readiness.of(parts),
        latest.last(),
        counters.standing(),
        xids,
        sampling.whyNoLedger(),
        hearing,
        plugin.map(PluginStatus.Source::now));
  }
}
