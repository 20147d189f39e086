package io.gpureclaimer.exporter.http;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;

/** Says that the process is alive. */
@Controller("/health")
final class HealthController {

  @Get
  @Produces(MediaType.TEXT_PLAIN)
  String health() {
    return "OK\n";
  }
}
