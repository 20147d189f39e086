package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.exposition.Readiness.NotReady;
import io.gpureclaimer.exporter.exposition.ReadyPart;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says that the process is alive, and whether it has something to tell. */
@Controller(produces = MediaType.TEXT_PLAIN)
final class HealthController {
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
    String missing =
        parts.stream()
            .map(ReadyPart::readiness)
            .flatMap(it -> it instanceof NotReady(var reason) ? Stream.of(reason) : Stream.empty())
            .collect(Collectors.joining("; "));
    return missing.isEmpty()
        ? HttpResponse.ok("OK")
        : HttpResponse.<String>status(HttpStatus.SERVICE_UNAVAILABLE).body(missing + "\n");
  }
}
