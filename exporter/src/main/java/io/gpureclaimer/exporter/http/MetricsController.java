package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.exposition.Scrape;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** The scrape endpoint. Serves what was rendered last; never touches a GPU itself. */
@Controller("/metrics")
final class MetricsController {
  private final LatestSnapshot latest;

  MetricsController(LatestSnapshot latest) {
    this.latest = latest;
  }

  @Get(produces = Scrape.CONTENT_TYPE)
  HttpResponse<byte[]> scrape(HttpRequest<?> request) {
    var scrape = latest.scrape();
    if (AcceptEncoding.allowsGzip(request.getHeaders().getAll(HttpHeaders.ACCEPT_ENCODING))) {
      return HttpResponse.ok(scrape.gzipped())
          .header(HttpHeaders.CONTENT_ENCODING, "gzip")
          .header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    }
    return HttpResponse.ok(scrape.text()).header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
  }
}
