package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.config.WebConfig;
import io.gpureclaimer.exporter.web.Passwords;
import io.gpureclaimer.exporter.web.Passwords.Verdict;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Lets nobody in without a password, if the web configuration has users. */
@ServerFilter("/**")
@Requires(bean = Passwords.class)
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class PasswordFilter {
  private final Passwords passwords;
  private final boolean openHealth;

  PasswordFilter(Passwords passwords, WebConfig web) {
    this.passwords = passwords;
    this.openHealth = web.openHealth();
  }

  /** Goes on with the request, or answers it. */
  @RequestFilter
  CompletionStage<Optional<HttpResponse<?>>> check(HttpRequest<?> request) {
    if (!passwords.areAsked()
        || (openHealth && HealthController.PATHS.contains(request.getPath()))) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    var given =
        Optional.ofNullable(request.getHeaders().get(HttpHeaders.AUTHORIZATION))
            .flatMap(BasicCredentials::of);
    return given.isEmpty()
        ? CompletableFuture.completedFuture(Optional.of(refusal()))
        : passwords
            .check(given.get().user(), given.get().password())
            .thenApply(PasswordFilter::answer);
  }

  private static Optional<HttpResponse<?>> answer(Verdict verdict) {
    return switch (verdict) {
      case RIGHT -> Optional.empty();
      case WRONG -> Optional.of(refusal());
      case BUSY -> Optional.of(line(HttpStatus.SERVICE_UNAVAILABLE));
    };
  }

  private static HttpResponse<?> refusal() {
    return HttpResponse.unauthorized()
        .header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"gpu-exporter\", charset=\"UTF-8\"")
        .contentType(MediaType.TEXT_PLAIN_TYPE)
        .body("401 Unauthorized\n");
  }

  private static HttpResponse<?> line(HttpStatus status) {
    return HttpResponse.status(status)
        .contentType(MediaType.TEXT_PLAIN_TYPE)
        .body(status.getCode() + " " + status.getReason() + "\n");
  }
}
