package io.gpureclaimer.reclaimer.http;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;

/** The reclaimer's own metrics. */
@Controller("/metrics")
final class MetricsController {
  private final CollectorRegistry registry;

  MetricsController(CollectorRegistry registry) {
    this.registry = registry;
  }

  @Get
  @Produces(TextFormat.CONTENT_TYPE_004)
  String metrics() throws IOException {
    var text = new StringWriter();
    TextFormat.write004(text, registry.metricFamilySamples());
    return text.toString();
  }
}
