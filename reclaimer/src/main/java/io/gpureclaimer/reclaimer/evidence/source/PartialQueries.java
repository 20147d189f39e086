package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.Observation.Blind;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusSource.EvidenceFetcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Gatherers;

/**
 * Queries that each name some pods or GPUs, a few at a time. If a server refuses a query, it is
 * halved, and later ones are as short. Safe for any thread.
 */
final class PartialQueries {
  /** So many are usually named in one query. */
  static final int MANY = 400;

  private static final int AT_ONCE = 2;

  /** So few fit into 16 KiB, the limit of VictoriaMetrics, whatever their names are. */
  private static final int FEW = 5;

  /** Answers of servers and proxies to a query that is too long or too large for them. */
  private static final List<String> TOO_LARGE =
      List.of("HTTP 400", "HTTP 413", "HTTP 414", "HTTP 422");

  private final EvidenceFetcher fetcher;
  private final AtomicInteger most = new AtomicInteger(MANY);

  PartialQueries(EvidenceFetcher fetcher) {
    this.fetcher = fetcher;
  }

  /** The samples of one part, which count only if the answer is complete. */
  private record Part(QueryAnswer answer, List<MetricSample> samples) {}

  /**
   * Runs the queries.
   *
   * @param items what the queries name
   * @param size how many are named in one query at most
   * @param query of some of the items
   * @param at by the server's clock; its own time if empty
   * @param into takes the samples of complete answers, on this thread
   * @return why the samples count for nothing; empty if all answers are complete
   */
  <T> Optional<Blind> ask(
      List<T> items,
      int size,
      Function<List<T>, String> query,
      Optional<Instant> at,
      Set<String> labels,
      Consumer<MetricSample> into) {
    Iterator<Part> parts =
        items.stream()
            .gather(Gatherers.windowFixed(Math.min(size, most.get())))
            .gather(Gatherers.mapConcurrent(AT_ONCE, some -> part(some, query, at, labels)))
            .iterator();
    while (parts.hasNext()) {
      Part part = parts.next();
      switch (part.answer()) {
        case QueryAnswer.Complete() -> part.samples().forEach(into);
        case QueryAnswer.Unusable unusable -> {
          return Optional.of(fetcher.blind(unusable));
        }
      }
    }
    return Optional.empty();
  }

  private <T> Part part(
      List<T> items, Function<List<T>, String> query, Optional<Instant> at, Set<String> labels) {
    List<MetricSample> samples = new ArrayList<>();
    QueryAnswer answer = fetcher.answer(query.apply(items), at, labels, samples::add);
    return items.size() > FEW && isRefused(answer)
        ? divided(items, query, at, labels)
        : new Part(answer, samples);
  }

  private <T> Part divided(
      List<T> items, Function<List<T>, String> query, Optional<Instant> at, Set<String> labels) {
    int half = Math.max(FEW, Math.ceilDiv(items.size(), 2));
    most.accumulateAndGet(half, Math::min);
    List<MetricSample> samples = new ArrayList<>();
    for (List<T> some : items.stream().gather(Gatherers.windowFixed(half)).toList()) {
      Part part = part(some, query, at, labels);
      if (!(part.answer() instanceof QueryAnswer.Complete)) {
        return part;
      }
      samples.addAll(part.samples());
    }
    return new Part(new QueryAnswer.Complete(), samples);
  }

  private static boolean isRefused(QueryAnswer answer) {
    return answer instanceof QueryAnswer.Unusable(_, var found)
        && TOO_LARGE.stream().anyMatch(found::startsWith);
  }
}
