package io.gpureclaimer.exporter.http;

import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Tells browsers to believe our content types. */
@ServerFilter("/**")
final class NoSniffFilter {

  @ResponseFilter
  void addHeader(MutableHttpResponse<?> response) {
    response.header("X-Content-Type-Options", "nosniff");
  }
}
