package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.audit.LatestReport;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;

/** Alive, and ready once a cycle has finished. */
@Controller
@Produces("text/plain; charset=utf-8")
final class HealthController {
  private final LatestReport latest;

  HealthController(LatestReport latest) {
    this.latest = latest;
  }

  @Get("/health")
  String health() {
    return "OK\n";
  }

  @Get("/ready")
  HttpResponse<String> ready() {
    return latest.get().isPresent()
        ? HttpResponse.ok("ready\n")
        : HttpResponse.<String>serverError().status(503).body("no cycle has finished yet\n");
  }
}
