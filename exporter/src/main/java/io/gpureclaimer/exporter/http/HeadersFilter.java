package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;

/** Tells browsers to believe our content types, and what the web configuration wants them told. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE)
final class HeadersFilter {
  private final Optional<WebFiles> web;

  HeadersFilter(Optional<WebFiles> web) {
    this.web = web;
  }

  @ResponseFilter
  void addHeaders(MutableHttpResponse<?> response) {
    web.ifPresent(files -> files.headers().forEach(response.getHeaders()::set));
    response.getHeaders().set("X-Content-Type-Options", "nosniff");
  }
}
