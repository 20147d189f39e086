package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.exposition.Readiness.NotReady;
import io.gpureclaimer.exporter.exposition.Readiness.Ready;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** Says that the process is alive, and whether it has something to tell. */
@Controller(produces = MediaType.TEXT_PLAIN)
final class HealthController {
  private final LatestSnapshot latest;

  HealthController(LatestSnapshot latest) {
    this.latest = latest;
  }

  @Get("/health")
  String health() {
    return "OK";
  }

  @Get("/ready")
  HttpResponse<String> ready() {
    return switch (latest.readiness()) {
      case Ready() -> HttpResponse.ok("OK");
      case NotReady(var reason) ->
          HttpResponse.<String>status(HttpStatus.SERVICE_UNAVAILABLE).body(reason + "\n");
    };
  }
}
