package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;

/**
 * Answers no more requests than the web configuration lets in. Those of the kubelet's probes are
 * not counted: a crowd of scrapers must not have the agent restarted.
 */
@ServerFilter("/**")
@Requires(bean = WebFiles.class)
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class RateFilter {
  private final WebFiles web;

  RateFilter(WebFiles web) {
    this.web = web;
  }

  /** Goes on with the request, or answers it. */
  @RequestFilter
  Optional<HttpResponse<?>> check(HttpRequest<?> request) {
    return HealthController.PATHS.contains(request.getPath()) || web.admits()
        ? Optional.empty()
        : Optional.of(
            HttpResponse.status(HttpStatus.TOO_MANY_REQUESTS)
                .contentType(MediaType.TEXT_PLAIN_TYPE)
                .body("429 Too Many Requests\n"));
  }
}
