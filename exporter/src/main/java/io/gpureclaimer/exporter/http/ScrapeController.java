package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.config.ExporterWebConfig;
import io.gpureclaimer.exporter.exposition.LatestSnapshot;
import io.gpureclaimer.exporter.exposition.LatestSnapshot.RenderedScrape;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The scrape endpoint. Serves what was rendered last, and never calls the driver. */
@Controller("/metrics")
final class ScrapeController {
  private static final String VARY_BY_FORMAT =
      HttpHeaders.ACCEPT + ", " + HttpHeaders.ACCEPT_ENCODING;

  private final LatestSnapshot latest;
  private final boolean offersOpenMetrics;

  ScrapeController(LatestSnapshot latest, ExporterWebConfig web) {
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

  /** Reads {@code Accept} and {@code Accept-Encoding} headers. */
  public static final class ContentNegotiation {
    private static final String OPENMETRICS = "application/openmetrics-text";
    private static final String TEXT = "text/plain";
    private static final Pattern WEIGHT = Pattern.compile("q=(1(\\.0*)?|0(\\.\\d*)?)");
    private static final Pattern OTHER_VERSION = Pattern.compile("version=(?!1\\.0\\.0$).*");

    /** {@code gzip}, alone or with a weight that is not zero. */
    private static final Pattern GZIP =
        Pattern.compile("(x-)?gzip(\\s*;\\s*q\\s*=\\s*(1(\\.0*)?|0?\\.0*[1-9]\\d*))?");

    private ContentNegotiation() {}

    /** Whether a client accepts gzip. */
    static boolean acceptsGzip(List<String> acceptEncoding) {
      return acceptEncoding.stream()
          .flatMap(header -> Arrays.stream(header.split(",", -1)))
          .anyMatch(coding -> GZIP.matcher(coding.strip().toLowerCase(Locale.ROOT)).matches());
    }

    /** Whether a client accepts OpenMetrics 1.0, with at least the weight of the text format. */
    static boolean prefersOpenMetrics(List<String> accept) {
      double open = weight(accept, OPENMETRICS);
      return open > 0 && open >= weight(accept, TEXT);
    }

    private static double weight(List<String> headers, String type) {
      return headers.stream()
          .flatMap(header -> Arrays.stream(header.toLowerCase(Locale.ROOT).split(",", -1)))
          .map(range -> range.replaceAll("\\s", "").split(";", -1))
          .filter(parts -> parts[0].equals(type))
          .filter(parts -> !type.equals(OPENMETRICS) || !isOfAnotherVersion(parts))
          .mapToDouble(ContentNegotiation::weight)
          .max()
          .orElse(0);
    }

    private static boolean isOfAnotherVersion(String[] parts) {
      return Arrays.stream(parts).anyMatch(part -> OTHER_VERSION.matcher(part).matches());
    }

    private static double weight(String[] parts) {
      return Arrays.stream(parts)
          .map(WEIGHT::matcher)
          .filter(Matcher::matches)
          .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
          .findFirst()
          .orElse(1);
    }
  }
}
