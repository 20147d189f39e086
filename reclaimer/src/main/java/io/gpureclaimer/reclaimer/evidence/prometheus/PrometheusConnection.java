package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.HttpFailure;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient.ConnectionFileException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * Where the Prometheus is, and how to talk to it.
 *
 * @param base its address with the path prefix it is served under, if any; without {@code /api/v1}
 * @param credentials how it knows us
 * @param caFile PEM certificates to trust instead of the JVM's; read again for every query
 * @param timeout for the whole of one answer, from connecting to its last byte
 * @param tenant sent as {@code X-Scope-OrgID}, which Mimir, Cortex and Thanos expect
 */
public record PrometheusConnection(
    URI base,
    Credentials credentials,
    Optional<Path> caFile,
    Duration timeout,
    Optional<String> tenant) {

  private static final String QUERY_PATH = "/api/v1/query";
  private static final String RANGE_PATH = "/api/v1/query_range";

  public PrometheusConnection {
    // The address itself may hold a password, so no message repeats it whole.
    if (!"http".equalsIgnoreCase(base.getScheme()) && !"https".equalsIgnoreCase(base.getScheme())) {
      throw new IllegalArgumentException(
          "the Prometheus URL must begin with http:// or https://, its scheme was "
              + base.getScheme());
    }
    if (base.getHost() == null) {
      throw new IllegalArgumentException("the Prometheus URL must name a host");
    }
    if (base.getRawUserInfo() != null || base.getRawQuery() != null || base.getFragment() != null) {
      throw new IllegalArgumentException(
          "the Prometheus URL must be scheme, host, port and path only, without user, query or"
              + " fragment; its host was "
              + base.getHost());
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException(
          "the Prometheus timeout must be longer than nothing, was " + timeout);
    }
    if (tenant.isPresent() && !tenant.get().chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "the Prometheus tenant must be printable ASCII without spaces, was " + tenant.get());
    }
  }

  /** An open Prometheus, trusted like any other address. */
  public static PrometheusConnection to(URI base, Duration timeout) {
    return new PrometheusConnection(
        base, new Credentials.Anonymous(), Optional.empty(), timeout, Optional.empty());
  }

  /** The address that answers instant queries. */
  URI queryUri() {
    return under(QUERY_PATH);
  }

  /** The address that answers queries about a range of time. */
  URI rangeUri() {
    return under(RANGE_PATH);
  }

  private URI under(String path) {
    String prefix = base.toString();
    while (prefix.endsWith("/")) {
      prefix = prefix.substring(0, prefix.length() - 1);
    }
    return URI.create(prefix + path);
  }

  /**
   * Credentials for a Prometheus. Files are read again for every query, so that they may change.
   */
  public sealed interface Credentials {

    /** No credentials. */
    record Anonymous() implements Credentials {}

    /**
     * A bearer token, given as it is.
     *
     * @param token never shown
     */
    record BearerToken(String token) implements Credentials {
      public BearerToken {
        if (!fitsHeader(token)) {
          throw new IllegalArgumentException(
              "a bearer token must be printable ASCII without spaces; it is not shown here");
        }
      }

      static boolean fitsHeader(String token) {
        return !token.isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 0x7f);
      }

      @Override
      public String toString() {
        return "BearerToken[token=***]";
      }
    }

    /**
     * A bearer token in a file, such as that of a service account.
     *
     * @param file holds the token and nothing else
     */
    record BearerTokenFile(Path file) implements Credentials {}

    /**
     * HTTP basic authentication.
     *
     * @param user without a colon
     * @param passwordFile holds the password and nothing else
     */
    record BasicAuth(String user, Path passwordFile) implements Credentials {
      public BasicAuth {
        if (user.contains(":")) {
          throw new IllegalArgumentException("a basic auth user must not contain a colon: " + user);
        }
      }
    }

    /**
     * The value of an {@code Authorization} header; files are read again each time.
     *
     * @throws ConnectionFileException if a file holds nothing that a header may carry
     */
    default Optional<String> header() {
      return switch (this) {
        case Anonymous() -> Optional.empty();
        case BearerToken(var token) -> Optional.of("Bearer " + token);
        case BearerTokenFile(var file) -> Optional.of("Bearer " + token(file));
        case BasicAuth(var user, var file) -> {
          String pair = user + ":" + content("a password", file);
          yield Optional.of(
              "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
      };
    }

    private static String token(Path file) {
      String token = content("a bearer token", file);
      if (!BearerToken.fitsHeader(token)) {
        throw new ConnectionFileException(
            "a bearer token", file, "a character that no header may carry");
      }
      return token;
    }

    private static String content(String what, Path file) {
      try {
        String content = Files.readString(file).strip();
        if (content.isEmpty()) {
          throw new ConnectionFileException(what, file, "nothing");
        }
        return content;
      } catch (IOException e) {
        throw new ConnectionFileException(what, file, HttpFailure.text(e));
      }
    }
  }
}
