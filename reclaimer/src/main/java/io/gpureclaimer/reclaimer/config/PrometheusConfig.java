package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection.Credentials;
import io.gpureclaimer.reclaimer.evidence.source.EvidenceFormats;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Prometheus to ask. Bound from {@code prometheus.*}.
 *
 * @param url its address with the path prefix, without {@code /api/v1}; the agents are scraped
 *     directly if not given
 * @param bearerTokenFile holds a bearer token
 * @param username user for basic authentication, together with {@code password-file}
 * @param passwordFile holds the password
 * @param caFile PEM certificates to trust instead of the JVM's
 * @param tenant sent as {@code X-Scope-OrgID}
 * @param timeout timeout of one query
 * @param form evidence format: {@code ledger}, {@code rules}, {@code series}, or {@code auto} to
 *     detect it
 * @param labels style of the labels that name pods: {@code plain}, {@code exported}, {@code old},
 *     or {@code auto} to detect it
 * @param selectiveFrom number of pods with GPUs from which on a cycle reads pods that work in turns
 */
@Context
@ConfigurationProperties("prometheus")
public record PrometheusConfig(
    @Nullable URI url,
    @Nullable Path bearerTokenFile,
    @Nullable String username,
    @Nullable Path passwordFile,
    @Nullable Path caFile,
    @Nullable String tenant,
    Duration timeout,
    String form,
    String labels,
    int selectiveFrom) {

  private static final String AUTO = "auto";

  public PrometheusConfig {
    if (url != null) {
      Property.mustBeHttp("prometheus.url", url);
      if (url.getRawQuery() != null || url.getFragment() != null) {
        throw new IllegalArgumentException(
            "prometheus.url must have no query and no fragment, the one with host "
                + url.getHost()
                + " has");
      }
    }
    if (username != null && username.contains(":")) {
      throw new IllegalArgumentException(
          "prometheus.username must not contain a colon, was " + username);
    }
    if (tenant != null && !tenant.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "prometheus.tenant must be printable ASCII without spaces, was " + tenant);
    }
    new Property("prometheus.timeout", timeout).mustBePositive();
    if (selectiveFrom < 0) {
      throw new IllegalArgumentException(
          "prometheus.selective-from must be at least 0, was " + selectiveFrom);
    }
    requireOneOf("prometheus.form", form, formats());
    requireOneOf("prometheus.labels", labels, List.of(AUTO, "plain", "exported", "old"));
    if ((username == null) != (passwordFile == null)) {
      throw new IllegalArgumentException(
          "prometheus.username and prometheus.password-file go together, was only "
              + (username == null ? "prometheus.password-file" : "prometheus.username"));
    }
    if (username != null && bearerTokenFile != null) {
      throw new IllegalArgumentException(
          "prometheus.bearer-token-file and prometheus.username must not both be set, but they"
              + " are");
    }
  }

  /** The connection, if a Prometheus is configured. */
  public Optional<PrometheusConnection> connection() {
    return Optional.ofNullable(url)
        .map(
            base ->
                new PrometheusConnection(
                    base,
                    credentials(),
                    Optional.ofNullable(caFile),
                    timeout,
                    Optional.ofNullable(tenant)));
  }

  /** What is asked of it. */
  public EvidenceFormats.Options options(SignalLimits signals) {
    return new EvidenceFormats.Options(given(form), given(labels), signals, selectiveFrom);
  }

  private static List<String> formats() {
    return Stream.concat(Stream.of(AUTO), EvidenceFormats.codes().stream()).toList();
  }

  private static Optional<String> given(String value) {
    return value.equals(AUTO) ? Optional.empty() : Optional.of(value);
  }

  private static void requireOneOf(String name, String value, List<String> known) {
    if (!known.contains(value)) {
      throw new IllegalArgumentException(
          name + " must be one of " + String.join(", ", known) + ", was " + value);
    }
  }

  private Credentials credentials() {
    if (bearerTokenFile != null) {
      return new Credentials.BearerTokenFile(bearerTokenFile);
    }
    if (username != null && passwordFile != null) {
      return new Credentials.BasicAuth(username, passwordFile);
    }
    return new Credentials.Anonymous();
  }
}
