package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the Prometheus is, and how to talk to it.
 *
 * @param base its address with the path prefix it is served under, if any; without {@code /api/v1}
 * @param credentials how it knows us
 * @param caFile PEM certificates to trust instead of the JVM's; read anew for every question
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
}
