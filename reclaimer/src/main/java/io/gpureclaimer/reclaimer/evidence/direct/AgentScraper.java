package io.gpureclaimer.reclaimer.evidence.direct;

import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.direct.DirectSource.AgentTargets;
import io.gpureclaimer.reclaimer.evidence.direct.ExpositionParser.Parsed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Scraper of all agents at once, so that a slow one delays only itself. Safe for any thread. */
final class AgentScraper {
  private static final long LARGEST_ANSWER_BYTES = 32L * 1024 * 1024;

  private final AgentTargets agents;
  private final Clock clock;
  private final MonotonicClock monotonic;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  AgentScraper(AgentTargets agents, Clock clock, MonotonicClock monotonic) {
    this.agents = agents;
    this.clock = clock;
    this.monotonic = monotonic;
  }

  /**
   * Asks every agent once.
   *
   * @param wanted the metrics to keep
   */
  List<ScrapeResult> scrape(Set<String> wanted) {
    Instant at = clock.instant();
    long deadline = monotonic.nanos() + agents.deadline().toNanos();
    Map<URI, CompletableFuture<HttpResponse<String>>> asked = new LinkedHashMap<>();
    agents.urls().forEach(agent -> asked.computeIfAbsent(agent, this::ask));
    var scrapes = new ArrayList<ScrapeResult>(asked.size());
    asked.forEach((agent, answer) -> scrapes.add(await(agent, at, answer, deadline, wanted)));
    return scrapes;
  }

  private CompletableFuture<HttpResponse<String>> ask(URI agent) {
    HttpRequest request =
        HttpRequest.newBuilder(agent).header("Accept", "text/plain;version=0.0.4").build();
    return client.sendAsync(
        request,
        HttpResponse.BodyHandlers.limiting(
            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8), LARGEST_ANSWER_BYTES));
  }

  private ScrapeResult await(
      URI agent,
      Instant at,
      CompletableFuture<HttpResponse<String>> answer,
      long deadline,
      Set<String> wanted) {
    try {
      long left = Math.max(0, deadline - monotonic.nanos());
      return read(agent, at, answer.get(left, TimeUnit.NANOSECONDS), wanted);
    } catch (TimeoutException _) {
      answer.cancel(true);
      return new ScrapeResult.Failed(
          agent, "expected metrics within " + agents.deadline().toMillis() + " ms, found none");
    } catch (InterruptedException _) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      return new ScrapeResult.Failed(agent, "expected metrics, found an interruption of our own");
    } catch (ExecutionException e) {
      return new ScrapeResult.Failed(agent, "expected metrics, found " + failure(e));
    }
  }

  private static ScrapeResult read(
      URI agent, Instant at, HttpResponse<String> answer, Set<String> wanted) {
    if (answer.statusCode() != 200) {
      return new ScrapeResult.Failed(agent, "expected HTTP 200, found HTTP " + answer.statusCode());
    }
    String encoding = answer.headers().firstValue("Content-Encoding").orElse("identity");
    if (!encoding.equals("identity")) {
      return new ScrapeResult.Failed(
          agent, "expected plain text, found content encoding " + encoding + ", not asked for");
    }
    return switch (ExpositionParser.parse(answer.body(), wanted, at)) {
      case Parsed.Samples(var samples) -> new ScrapeResult.Answered(agent, at, samples);
      case Parsed.Malformed(int line, String why) ->
          new ScrapeResult.Failed(
              agent, "expected the Prometheus text format, found line " + line + " without " + why);
    };
  }

  private static String failure(ExecutionException e) {
    if (!(e.getCause() instanceof IOException)) {
      throw new IllegalStateException("a scrape failed in an unexpected way", e);
    }
    String last = "no process listening there";
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "a host name that does not resolve";
      }
      last = cause.getMessage() == null ? last : cause.getMessage();
    }
    return last;
  }

  /** Result of one scrape of one agent. */
  sealed interface ScrapeResult {

    /**
     * The agent answered.
     *
     * @param agent its address
     * @param at when it was asked, by our clock
     * @param samples those of the wanted metrics
     */
    record Answered(URI agent, Instant at, List<MetricSample> samples) implements ScrapeResult {
      public Answered {
        samples = List.copyOf(samples);
      }
    }

    /**
     * It did not, or not so that one could believe it.
     *
     * @param agent its address
     * @param why what was expected and what was found
     */
    record Failed(URI agent, String why) implements ScrapeResult {
      @Override
      public String toString() {
        return "agent " + agent + ": " + why;
      }
    }
  }
}
