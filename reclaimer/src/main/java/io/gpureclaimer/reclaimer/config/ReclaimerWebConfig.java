package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.common.http.ConnectionLimits;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the reclaimer serves. Bound from {@code web.*}.
 *
 * @param prices of an hour of a GPU in dollars, each as {@code MODEL=PRICE}, for the cost of idle
 *     GPUs
 * @param readTimeout how long a client may take to send a whole request
 * @param writeTimeout how long an answer may take
 * @param pages to whom the pages are served: {@code localhost}, {@code authorized}, {@code
 *     everyone} or {@code off}
 * @param maxConnections of all clients together
 * @param maxConnectionsPerClient of one address
 */
@Context
@ConfigurationProperties("web")
public record ReclaimerWebConfig(
    PageReaders pages,
    List<String> prices,
    Duration readTimeout,
    Duration writeTimeout,
    int maxConnections,
    int maxConnectionsPerClient) {
  private static final Pattern PRICE = Pattern.compile("(\\S.*\\S) *= *(\\d{1,6}(?:\\.\\d{1,6})?)");

  public ReclaimerWebConfig {
    prices = List.copyOf(prices);
    var _ = byModel(prices);
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

  /** The prices by model, as in the label of nodes. */
  public Map<String, Double> pricesByModel() {
    return byModel(prices);
  }

  private static Map<String, Double> byModel(List<String> prices) {
    var byModel = new HashMap<String, Double>();
    for (String text : prices) {
      Matcher parts = PRICE.matcher(text);
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "web.prices must be like NVIDIA H100 80GB HBM3=2.5, was " + text);
      }
      // GPU feature discovery writes the name of the driver with hyphens.
      String model = parts.group(1).replace(' ', '-');
      if (byModel.put(model, Double.valueOf(parts.group(2))) != null) {
        throw new IllegalArgumentException("web.prices must have each model once, had " + text);
      }
    }
    return byModel;
  }

  /** The same, for the server. */
  public ConnectionLimits limits() {
    return new ConnectionLimits(maxConnections, maxConnectionsPerClient, readTimeout, writeTimeout);
  }
}
