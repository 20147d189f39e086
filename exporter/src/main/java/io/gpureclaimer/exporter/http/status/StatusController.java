package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.common.program.ReadinessCheck;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.exporter.config.SamplingConfig;
import io.gpureclaimer.exporter.config.Version;
import io.gpureclaimer.exporter.counters.CountersWatch;
import io.gpureclaimer.exporter.exposition.EventSubscriptionStatus;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** State of the agent: a static page for browsers, which fetches the JSON that others get. */
@Controller
final class StatusController {
  private final List<ReadinessCheck> parts;
  private final LatestSnapshot latest;
  private final CountersWatch counters;
  private final XidLog xids;
  private final SamplingConfig sampling;
  private final EventSubscriptionStatus subscriptions;
  private final Optional<PluginStatus.StatusSource> plugin;
  private final Clock clock;
  private final Instant started;

  StatusController(
      List<ReadinessCheck> parts,
      LatestSnapshot latest,
      CountersWatch counters,
      XidLog xids,
      SamplingConfig sampling,
      EventSubscriptionStatus subscriptions,
      Optional<PluginStatus.StatusSource> plugin,
      Clock clock) {
    this.parts = parts;
    this.latest = latest;
    this.counters = counters;
    this.xids = xids;
    this.sampling = sampling;
    this.subscriptions = subscriptions;
    this.plugin = plugin;
    this.clock = clock;
    this.started = ProcessHandle.current().info().startInstant().orElseGet(clock::instant);
  }

  /** HTML if {@code Accept} names {@code text/html}, otherwise JSON. */
  @Get(value = "/status", produces = MediaType.ALL)
  HttpResponse<?> status(HttpRequest<?> request) {
    boolean isBrowser =
        request.getHeaders().getAll(HttpHeaders.ACCEPT).stream()
            .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(MediaType.TEXT_HTML));
    var response =
        isBrowser
            ? resource("status.html", "text/html; charset=utf-8")
            : HttpResponse.ok(json()).header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
    return response.header(HttpHeaders.VARY, HttpHeaders.ACCEPT);
  }

  @Get(value = "/status.js", produces = MediaType.ALL)
  HttpResponse<?> script() {
    return resource("status.js", "text/javascript; charset=utf-8");
  }

  @Get(value = "/status.css", produces = MediaType.ALL)
  HttpResponse<?> style() {
    return resource("status.css", "text/css; charset=utf-8");
  }

  private String json() {
    var sampled = latest.last();
    return new StatusJson(xids, counters.status(), sampling.whyNoLedger(), subscriptions)
        .of(
            new StatusJson.AgentProgram(
                Version.ofThisProgram(), Duration.between(started, clock.instant())),
            Readiness.of(parts),
            sampled,
            plugin.map(PluginStatus.StatusSource::now));
  }

  private static MutableHttpResponse<?> resource(String name, String type) {
    try (var in = StatusController.class.getResourceAsStream(name)) {
      return HttpResponse.ok(Objects.requireNonNull(in, name).readAllBytes())
          .header(HttpHeaders.CONTENT_TYPE, type);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name + " of this program", e);
    }
  }
}
