package io.gpureclaimer.exporter.http;

import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.common.program.Readiness.NotReady;
import io.gpureclaimer.common.program.Readiness.Ready;
import io.gpureclaimer.common.program.ReadinessCheck;
import io.gpureclaimer.exporter.exposition.LivenessCheck;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Liveness and readiness. */
@Controller(produces = MediaType.TEXT_PLAIN)
final class ProbeController {
  static final Set<String> PATHS = Set.of("/health", "/ready");

  private final List<ReadinessCheck> parts;
  private final List<LivenessCheck> lives;

  ProbeController(List<ReadinessCheck> parts, List<LivenessCheck> lives) {
    this.parts = parts;
    this.lives = lives;
  }

  @Get("/health")
  HttpResponse<String> health() {
    return lives.stream()
        .map(LivenessCheck::beyondHelp)
        .flatMap(Optional::stream)
        .findFirst()
        .map(ProbeController::unavailable)
        .orElseGet(() -> HttpResponse.ok("OK"));
  }

  @Get("/ready")
  HttpResponse<String> ready() {
    return switch (Readiness.of(parts)) {
      case Ready() -> HttpResponse.ok("OK");
      case NotReady(var reason) -> unavailable(reason);
    };
  }

  private static HttpResponse<String> unavailable(String reason) {
    return HttpResponse.<String>status(HttpStatus.SERVICE_UNAVAILABLE).body(reason + "\n");
  }
}
