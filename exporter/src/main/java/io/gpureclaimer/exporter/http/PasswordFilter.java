package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.config.ExporterWebConfig;
import io.gpureclaimer.exporter.web.Passwords;
import io.gpureclaimer.exporter.web.Passwords.CheckResult;
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
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Requires a password for every path, if the web configuration has users. */
@ServerFilter("/**")
@Requires(bean = Passwords.class)
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class PasswordFilter {
  private final Passwords passwords;
  private final boolean openHealth;

  PasswordFilter(Passwords passwords, ExporterWebConfig web) {
    this.passwords = passwords;
    this.openHealth = web.openHealth();
  }

  /** Empty to continue with the request, or the answer. */
  @RequestFilter
  CompletionStage<Optional<HttpResponse<?>>> check(HttpRequest<?> request) {
    if (!passwords.areRequired()
        || (openHealth && ProbeController.PATHS.contains(request.getPath()))) {
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

  private static Optional<HttpResponse<?>> answer(CheckResult verdict) {
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

  /**
   * Content of an {@code Authorization} header of the scheme Basic.
   *
   * @param user may be empty, and has no colon
   * @param password may be empty
   */
  private record BasicCredentials(String user, String password) {
    private static final String SCHEME = "Basic ";

    /** Empty, if the header is of another scheme or malformed. */
    static Optional<BasicCredentials> of(String header) {
      if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
        return Optional.empty();
      }
      try {
        byte[] decoded = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
        String both = new String(decoded, StandardCharsets.UTF_8);
        int colon = both.indexOf(':');
        return colon < 0
            ? Optional.empty()
            : Optional.of(
                new BasicCredentials(both.substring(0, colon), both.substring(colon + 1)));
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }

    /** Never the password. */
    @Override
    public String toString() {
      return "credentials of " + user;
    }
  }
}
