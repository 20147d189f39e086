package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.exposition.Readiness;
import io.gpureclaimer.exporter.exposition.Readiness.NotReady;
import io.gpureclaimer.exporter.exposition.Readiness.Ready;
import io.gpureclaimer.exporter.exposition.ReadyPart;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.List;
import java.util.Set;

/** Says that the process is alive, and whether it has something to tell. */
@Controller(produces = MediaType.TEXT_PLAIN)
final class HealthController {
  static final Set<String> PATHS = Set.of("/health", "/ready");

  private final List<ReadyPart> parts;

  HealthController(List<ReadyPart> parts) {
    this.parts = parts;
  }

  @Get("/health")
  String health() {
    return "OK";
  }

  @Get("/ready")
  HttpResponse<String> ready() {
    return switch (Readiness.of(parts)) {
      case Ready() -> HttpResponse.ok("OK");
      case NotReady(var reason) ->
          HttpResponse.<String>status(HttpStatus.SERVICE_UNAVAILABLE).body(reason + "\n");
    };
  }
}
