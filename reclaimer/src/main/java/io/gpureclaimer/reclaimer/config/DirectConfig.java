package io.gpureclaimer.reclaimer.config;

import io.gpureclaimer.reclaimer.evidence.direct.DirectSource.AgentTargets;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The agents to scrape where there is no Prometheus. Bound from {@code direct.*}.
 *
 * @param agents where each of them serves its metrics
 * @param deadline for the whole of one agent's answer
 */
@Context
@ConfigurationProperties("direct")
public record DirectConfig(@Nullable List<URI> agents, Duration deadline) {

  /** While the scrape of one agent takes long, the answers of the others become old. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  public DirectConfig {
    if (agents != null) {
      agents = List.copyOf(agents);
      agents.forEach(agent -> Property.mustBeHttp("direct.agents", agent));
    }
    new Property("direct.deadline", deadline).mustBePositive();
    new Property("direct.deadline", deadline).mustBeAtMost(LONGEST);
  }

  /** The agents, if any are configured. */
  public Optional<AgentTargets> all() {
    return Optional.ofNullable(agents)
        .filter(urls -> !urls.isEmpty())
        .map(urls -> new AgentTargets(urls, deadline));
  }
}
