package io.gpureclaimer.reclaimer.evidence.direct;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * The agents to scrape.
 *
 * @param urls where each of them serves its metrics, such as {@code http://node-1:9400/metrics}; at
 *     least one
 * @param deadline for the whole of one agent's answer
 */
public record Agents(List<URI> urls, Duration deadline) {
  public Agents {
    urls = List.copyOf(urls);
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one agent to scrape, was none");
    }
    for (URI url : urls) {
      if (!("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
          || url.getHost() == null
          || url.getRawUserInfo() != null) {
        throw new IllegalArgumentException(
            "an agent's URL must be http:// or https:// with a host and without a user; its host"
                + " was "
                + url.getHost());
      }
    }
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException(
          "the deadline of a scrape must be longer than nothing, was " + deadline);
    }
  }
}
