package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.common.http.ConnectionLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;

/**
 * How the reclaimer serves. Bound from {@code web.*}.
 *
 * @param readTimeout how long a client may take to send a whole request
 * @param writeTimeout how long an answer may take
 * @param pages to whom the pages are served: {@code localhost}, {@code authorized}, {@code
 *     everyone} or {@code off}
 * @param maxConnections of all clients together
 * @param maxConnectionsPerClient of one address
 */
@Context
@ConfigurationProperties("web")
public record WebConfig(
    PageReaders pages,
    Duration readTimeout,
    Duration writeTimeout,
    int maxConnections,
    int maxConnectionsPerClient) {
  public WebConfig {
    var _ =
        new ConnectionLimits(maxConnections, maxConnectionsPerClient, readTimeout, writeTimeout);
  }

  /** Clients to whom the pages are served. */
  public enum PageReaders {
    /** Clients on the same machine, such as kubectl port-forward. */
    LOCALHOST,
    /**
     * People whom the API server knows, each with the namespaces whose pods he may get. Reports
     * need the same.
     */
    AUTHORIZED,
    /** Every client that can reach the port. */
    EVERYONE,
    OFF
  }

  /** The same, for the server. */
  public ConnectionLimits limits() {
    return new ConnectionLimits(maxConnections, maxConnectionsPerClient, readTimeout, writeTimeout);
  }
}
