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
final class ReclaimerMetricsController {
  private final CollectorRegistry registry;

  ReclaimerMetricsController(CollectorRegistry registry) {
    this.registry = registry;
  }

  /** In the text format, without the time stamps of creation that simpleclient adds. */
  @Get
  @Produces(TextFormat.CONTENT_TYPE_004)
  String metrics() throws IOException {
    var text = new StringWriter();
    TextFormat.write004(
        text, registry.filteredMetricFamilySamples(name -> !name.endsWith("_created")));
    return text.toString();
  }
}
