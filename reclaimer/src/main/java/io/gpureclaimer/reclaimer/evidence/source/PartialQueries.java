package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Gatherers;

/**
 * Queries that each name some pods or GPUs, a few at a time. If a server refuses a query, it is
 * halved, and later ones are as short, until it has answered for a while. Safe for any thread.
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

  private final QueryServer server;

  /** After so many times without a refusal, longer queries are tried again. */
  private static final int TIMES_UNTIL_LONGER = 20;

  /** Each refusal doubles that, up to so many. */
  private static final int MOST_TIMES_UNTIL_LONGER = 1_280;

  private final AtomicReference<QueryLength> length =
      new AtomicReference<>(new QueryLength(MANY, 0, TIMES_UNTIL_LONGER));

  PartialQueries(QueryServer server) {
    this.server = server;
  }

  /** What answers a query. */
  interface QueryServer {

    /**
     * Runs one query about a moment.
     *
     * @param at by the server's clock; its own time if empty
     */
    QueryAnswer answer(
        String query, Optional<Instant> at, Set<String> labels, Consumer<MetricSample> into);
  }

  /**
   * How many are named in one query.
   *
   * @param answers how often in a row nothing was refused
   * @param needed how many of them are needed before it is doubled
   */
  private record QueryLength(int most, int answers, int needed) {
    QueryLength afterRefusal(int half) {
      return most <= half
          ? this
          : new QueryLength(half, 0, Math.min(2 * needed, MOST_TIMES_UNTIL_LONGER));
    }

    QueryLength afterAnswer() {
      if (most == MANY) {
        return this;
      }
      return answers + 1 < needed
          ? new QueryLength(most, answers + 1, needed)
          : new QueryLength(Math.min(MANY, 2 * most), 0, needed);
    }
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
  <T> Optional<QueryAnswer.Unusable> ask(
      List<T> items,
      int size,
      Function<List<T>, String> query,
      Optional<Instant> at,
      Set<String> labels,
      Consumer<MetricSample> into) {
    QueryLength before = length.get();
    Iterator<Part> parts =
        items.stream()
            .gather(Gatherers.windowFixed(Math.min(size, before.most())))
            .gather(Gatherers.mapConcurrent(AT_ONCE, some -> part(some, query, at, labels)))
            .iterator();
    while (parts.hasNext()) {
      Part part = parts.next();
      switch (part.answer()) {
        case QueryAnswer.Complete() -> part.samples().forEach(into);
        case QueryAnswer.Unusable unusable -> {
          return Optional.of(unusable);
        }
      }
    }
    if (items.size() > before.most()) {
      length.compareAndSet(before, before.afterAnswer());
    }
    return Optional.empty();
  }

  private <T> Part part(
      List<T> items, Function<List<T>, String> query, Optional<Instant> at, Set<String> labels) {
    List<MetricSample> samples = new ArrayList<>();
    QueryAnswer answer = server.answer(query.apply(items), at, labels, samples::add);
    return items.size() > FEW && isRefused(answer)
        ? divided(items, query, at, labels)
        : new Part(answer, samples);
  }

  private <T> Part divided(
      List<T> items, Function<List<T>, String> query, Optional<Instant> at, Set<String> labels) {
    int half = Math.max(FEW, Math.ceilDiv(items.size(), 2));
    length.updateAndGet(known -> known.afterRefusal(half));
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
