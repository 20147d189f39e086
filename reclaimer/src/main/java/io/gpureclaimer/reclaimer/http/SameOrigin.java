package io.gpureclaimer.reclaimer.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.net.URI;
import java.util.Optional;

/**
 * Whether a request that writes was sent by a page of this server, or by a program with a token of
 * its own. A browser adds the login of a proxy to requests of every site.
 */
final class SameOrigin {
  private SameOrigin() {}

  static boolean isKept(HttpRequest<?> request) {
    HttpHeaders headers = request.getHeaders();
    Optional<String> site = headers.get("Sec-Fetch-Site", String.class);
    if (site.isPresent()) {
      return site.get().equals("same-origin");
    }
    Optional<String> origin = headers.get("Origin", String.class);
    if (origin.isPresent()) {
      return isOf(origin.get(), headers.get("Host", String.class).orElse(""));
    }
    return headers
        .get("Authorization", String.class)
        .filter(value -> value.startsWith("Bearer "))
        .isPresent();
  }

  private static boolean isOf(String origin, String host) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null && !host.isEmpty() && authority.equalsIgnoreCase(host);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
