package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.config.WebConfig;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.exposition.LatestSnapshot.RenderedScrape;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** The scrape endpoint. Serves what was rendered last, and never calls the driver. */
@Controller("/metrics")
final class ScrapeController {
  private static final String VARY_BY_FORMAT =
      HttpHeaders.ACCEPT + ", " + HttpHeaders.ACCEPT_ENCODING;

  private final LatestSnapshot latest;
  private final boolean offersOpenMetrics;

  ScrapeController(LatestSnapshot latest, WebConfig web) {
    this.latest = latest;
    this.offersOpenMetrics = web.openmetrics();
  }

  @Get(produces = {RenderedScrape.CONTENT_TYPE, RenderedScrape.OPENMETRICS_TYPE})
  HttpResponse<byte[]> scrape(HttpRequest<?> request) {
    var headers = request.getHeaders();
    if (offersOpenMetrics
        && ContentNegotiation.prefersOpenMetrics(headers.getAll(HttpHeaders.ACCEPT))) {
      return answer(request, latest.openMetrics(), RenderedScrape.OPENMETRICS_TYPE);
    }
    return answer(request, latest.scrape(), RenderedScrape.CONTENT_TYPE);
  }

  private HttpResponse<byte[]> answer(HttpRequest<?> request, RenderedScrape scrape, String type) {
    boolean gzip =
        ContentNegotiation.acceptsGzip(request.getHeaders().getAll(HttpHeaders.ACCEPT_ENCODING));
    var response =
        HttpResponse.ok(gzip ? scrape.gzipped() : scrape.text())
            .header(HttpHeaders.CONTENT_TYPE, type)
            .header(
                HttpHeaders.VARY, offersOpenMetrics ? VARY_BY_FORMAT : HttpHeaders.ACCEPT_ENCODING);
    return gzip ? response.header(HttpHeaders.CONTENT_ENCODING, "gzip") : response;
  }
}
