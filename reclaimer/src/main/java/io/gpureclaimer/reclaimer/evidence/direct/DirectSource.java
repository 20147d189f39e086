package io.gpureclaimer.reclaimer.evidence.direct;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.common.vocabulary.LedgerMetrics;
import io.gpureclaimer.reclaimer.evidence.ActivitySource;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.Observation.FormatName;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.evidence.PodActivityAggregator;
import io.gpureclaimer.reclaimer.evidence.Signal.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.direct.AgentScraper.ScrapeResult;
import io.gpureclaimer.reclaimer.evidence.direct.HardwareParser.MemoryHistory;
import io.gpureclaimer.reclaimer.evidence.ledger.BusyTimeStore;
import io.gpureclaimer.reclaimer.evidence.ledger.LedgerFormat;
import io.gpureclaimer.reclaimer.evidence.ledger.LedgerParser;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Activity source that scrapes the agents itself, for a cluster without Prometheus. Safe for any
 * thread.
 *
 * <p>The pods of an agent that does not answer are not seen; if no agent answers, the source is
 * blind.
 */
public final class DirectSource implements ActivitySource {
  private static final FormatName FORMAT =
      new FormatName("direct", "what the agents recorded, as they say themselves");
  private static final Set<String> LEDGER =
      Set.of(
          LedgerMetrics.LAST_ACTIVE,
          LedgerMetrics.OBSERVED_SINCE,
          LedgerMetrics.OBSERVED_UNTIL,
          LedgerMetrics.DEVICE_COUNT,
          LedgerMetrics.LAST_SIGNAL,
          LedgerMetrics.BUSY);
  private static final Set<String> WANTED = wanted();

  private final AgentScraper scraper;
  private final Clock clock;
  private final SignalLimits signals;
  private final MemoryHistory memory = new MemoryHistory();
  private final BusyTimeStore busyTimes = new BusyTimeStore();

  /**
   * The agents to scrape.
   *
   * @param urls where each of them serves its metrics, such as {@code http://node-1:9400/metrics};
   *     at least one
   * @param deadline for the whole of one agent's answer
   */
  public record AgentTargets(List<URI> urls, Duration deadline) {
    public AgentTargets {
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

  /**
   * @param clock for the times of the scrapes and of the observation
   */
  public DirectSource(
      AgentTargets agents, Clock clock, MonotonicClock monotonic, SignalLimits signals) {
    this.scraper = new AgentScraper(agents, clock, monotonic);
    this.clock = clock;
    this.signals = signals;
  }

  @Override
  public Observation fetchAll() {
    return fetch(_ -> true, FetchScope.ALL_PODS);
  }

  @Override
  public Observation fetchPod(PodActivity pod) {
    return fetch(
        sample -> pod.uid().equals(sample.labels().get(Labels.POD_UID)), FetchScope.ONE_POD);
  }

  private Observation fetch(Predicate<MetricSample> wanted, FetchScope scope) {
    List<ScrapeResult> scrapes = scraper.scrape(WANTED);
    if (scrapes.stream().noneMatch(ScrapeResult.Answered.class::isInstance)) {
      return new Observation.Blind(
          "none of " + scrapes.size() + " agents answered; " + scrapes.getFirst());
    }
    var aggregator = new PodActivityAggregator(LedgerFormat.NO_PODS);
    aggregator.judgedByAgents(signals.judgedByAgents());
    var ledger = new LedgerParser(aggregator, busyTimes);
    var hardware = new HardwareParser(signals, memory, aggregator, scope == FetchScope.ONE_POD);
    for (ScrapeResult scrape : scrapes) {
      switch (scrape) {
        case ScrapeResult.Answered(var agent, _, List<MetricSample> samples) ->
            samples.forEach(
                sample -> {
                  if (!LEDGER.contains(sample.labels().get(MetricSample.NAME))) {
                    hardware.accept(sample);
                  } else if (wanted.test(sample)) {
                    ledger.acceptScraped(sample, agent.toString());
                  } else if (LedgerMetrics.DEVICE_COUNT.equals(sample.name())) {
                    aggregator.countedBy(agent.toString());
                  }
                });
        case ScrapeResult.Failed failed -> aggregator.skip(failed + "; its pods are not seen");
      }
    }
    Instant at = clock.instant();
    hardware.finish(at);
    ledger.finish(at, scope);
    return aggregator.observation(at).from(FORMAT, Optional.empty());
  }

  private static Set<String> wanted() {
    var wanted = new HashSet<>(HardwareParser.metrics());
    wanted.addAll(LEDGER);
    return Set.copyOf(wanted);
  }
}
