package io.gpureclaimer.exporter.config;

import io.gpureclaimer.common.http.ConnectionLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of the agent. Bound from {@code web.*}.
 *
 * @param configFile TLS, passwords and headers; plain HTTP for everybody if not given
 * @param refreshAfter pause between two reads of that file and those it names
 * @param openHealth whether {@code /health} and {@code /ready} are answered without a password
 * @param openmetrics whether scrapers that ask for OpenMetrics get it
 * @param readTimeout how long a client may take to send a whole request
 * @param writeTimeout how long a client may take to take a whole answer
 * @param maxConnections of all clients together
 * @param maxConnectionsPerClient of one address
 */
@Context
@ConfigurationProperties("web")
public record ExporterWebConfig(
    @Nullable Path configFile,
    Duration refreshAfter,
    boolean openHealth,
    boolean openmetrics,
    Duration readTimeout,
    Duration writeTimeout,
    int maxConnections,
    int maxConnectionsPerClient) {
  public ExporterWebConfig {
    if (!refreshAfter.isPositive()) {
      throw new IllegalArgumentException(
          "web.refresh-after must be positive, was " + refreshAfter.toMillis() + "ms");
    }
    var _ = limits(maxConnections, maxConnectionsPerClient, readTimeout, writeTimeout);
  }

  /** What is kept of connections. */
  public ConnectionLimits limits() {
    return limits(maxConnections, maxConnectionsPerClient, readTimeout, writeTimeout);
  }

  private static ConnectionLimits limits(
      int connections, int perClient, Duration read, Duration write) {
    return new ConnectionLimits(connections, perClient, read, write);
  }
}
