package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebConfigFiles;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;

/** Adds the headers of the web configuration, and one that forbids guessing content types. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SecurityHeadersFilter {
  private final Optional<WebConfigFiles> web;

  SecurityHeadersFilter(Optional<WebConfigFiles> web) {
    this.web = web;
  }

  @ResponseFilter
  void addHeaders(MutableHttpResponse<?> response) {
    web.ifPresent(files -> files.headers().forEach(response.getHeaders()::set));
    response.getHeaders().set("X-Content-Type-Options", "nosniff");
  }
}
