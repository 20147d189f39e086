package io.gpureclaimer.reclaimer.http;

import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** What browsers shall and shall not do with our answers. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class ReclaimerHeadersFilter {

  @ResponseFilter
  void addHeaders(MutableHttpResponse<?> response) {
    response.header("X-Content-Type-Options", "nosniff");
    response.header("X-Frame-Options", "DENY");
    byDefault(response, "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response.header("Referrer-Policy", "same-origin");
    byDefault(response, "Cache-Control", "no-store");
  }

  private static void byDefault(MutableHttpResponse<?> response, String name, String value) {
    if (!response.getHeaders().contains(name)) {
      response.header(name, value);
    }
  }
}
