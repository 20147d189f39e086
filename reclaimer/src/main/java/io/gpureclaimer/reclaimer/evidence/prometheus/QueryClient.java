package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.HttpFailure;
import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient.ConnectionFileException;
import io.gpureclaimer.reclaimer.evidence.MetricSample;
import io.gpureclaimer.reclaimer.evidence.TimeRange;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer.Unusable;
import io.gpureclaimer.reclaimer.evidence.prometheus.ResponseReader.Elements;
import io.gpureclaimer.reclaimer.evidence.prometheus.ResponseReader.Elements.Matrix;
import io.gpureclaimer.reclaimer.evidence.prometheus.ResponseReader.Elements.Vector;
import io.gpureclaimer.reclaimer.evidence.prometheus.ResponseReader.MalformedResponse;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** Client of the query API of a Prometheus. Safe for any thread. */
public final class QueryClient {
  private static final String SETTING = "prometheus.timeout (--prometheus-timeout)";
  private static final int MILLI_DIGITS = 3;
  private static final Set<String> NO = Set.of("false", "0", "no");

  /** For Thanos, which otherwise leaves out what is down; other servers ignore it. */
  private static final String ALL_OR_NOTHING = "&partial_response=false&dedup=true";

  /**
   * For VictoriaMetrics, which otherwise answers about half a minute ago as if it were now, and
   * about other times of the past than those that are asked for.
   */
  private static final String FRESH = "&nocache=1";

  /** For Thanos, which otherwise may answer with averages of hours about the distant past. */
  private static final String RAW = "&max_source_resolution=0s";

  private final PrometheusConnection connection;
  private final TrustedHttpClient trust;
  private final long largestAnswer;
  private final Optional<AnswerStore> store;

  /**
   * @param largestAnswer in bytes, uncompressed
   */
  public QueryClient(PrometheusConnection connection, long largestAnswer) {
    this(connection, largestAnswer, Optional.empty());
  }

  /**
   * A client that keeps answers about ranges.
   *
   * @param store answers from it are not asked for again
   */
  public QueryClient(
      PrometheusConnection connection, long largestAnswer, Optional<AnswerStore> store) {
    this.store = store;
    this.connection = connection;
    this.trust = new TrustedHttpClient(connection.caFile());
    this.largestAnswer = largestAnswer;
  }

  /**
   * A request.
   *
   * @param form its parameters, encoded
   */
  private record Request(URI uri, String form) {}

  /** The address that is asked; it holds no credentials. */
  public URI uri() {
    return connection.queryUri();
  }

  /** The address that is asked about ranges of time; it holds no credentials. */
  public URI rangeUri() {
    return connection.rangeUri();
  }

  /** Answer to one query. */
  public sealed interface QueryAnswer {

    /** An answer that does not hint that something is missing. */
    record Complete() implements QueryAnswer {}

    /**
     * No answer, or an incomplete one; samples that were handed on before count for nothing.
     *
     * @param expected the rule
     * @param found what came instead
     */
    record Unusable(String expected, String found) implements QueryAnswer {}
  }

  /**
   * Runs a range query, and hands on the series while they come.
   *
   * @param labels those wanted of each series
   * @param into as in {@link #query(String, Set, Consumer)}
   */
  public QueryAnswer query(
      String query, TimeRange range, Set<String> labels, Consumer<RangeSeries> into) {
    String steps =
        "&start="
            + range.at(1).getEpochSecond()
            + "&end="
            + range.at(range.steps()).getEpochSecond()
            + "&step="
            + range.step().toSeconds();
    return ask(
        new Request(rangeUri(), form(query) + steps + RAW + FRESH), labels, new Matrix(into));
  }

  /**
   * Runs an instant query, and hands on the samples while they come.
   *
   * @param labels those wanted of each sample
   * @param into called on another thread, which has ended if the answer is complete; not to be used
   *     if it is not
   */
  public QueryAnswer query(String query, Set<String> labels, Consumer<MetricSample> into) {
    return query(query, Optional.empty(), labels, into);
  }

  /**
   * The same about a moment.
   *
   * @param at by the server's clock; its own time if empty
   */
  public QueryAnswer query(
      String query, Optional<Instant> at, Set<String> labels, Consumer<MetricSample> into) {
    String time = at.map(QueryClient::time).map(moment -> "&time=" + moment).orElse("");
    return ask(new Request(uri(), form(query) + time + FRESH), labels, new Vector(into));
  }

  private static String time(Instant at) {
    return BigDecimal.valueOf(at.toEpochMilli(), MILLI_DIGITS).toPlainString();
  }

  private static String form(String query) {
    return "query=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + ALL_OR_NOTHING;
  }

  private QueryAnswer ask(Request request, Set<String> labels, Elements elements) {
    Optional<AnswerStore> answers = store.filter(_ -> request.uri().equals(rangeUri()));
    // The JDK's client has no deadline for a body that drips, so the whole exchange gets one here.
    var exchange = new FutureTask<>(() -> answer(request, answers, labels, elements));
    Thread.ofVirtual().name("prometheus-query").start(exchange);
    try {
      return exchange.get(connection.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      exchange.cancel(true);
      return new Unusable(
          "an answer within the " + text(connection.timeout()) + " of " + SETTING, "none");
    } catch (InterruptedException _) {
      exchange.cancel(true);
      Thread.currentThread().interrupt();
      return new Unusable("an answer", "an interruption of our own");
    } catch (ExecutionException e) {
      throw new IllegalStateException("a query failed in an unexpected way", e.getCause());
    }
  }

  private QueryAnswer answer(
      Request request, Optional<AnswerStore> answers, Set<String> labels, Elements elements)
      throws InterruptedException {
    try {
      Optional<InputStream> known =
          answers.isPresent() ? answers.get().open(key(request)) : Optional.empty();
      if (known.isPresent()) {
        try (InputStream body = known.get()) {
          return new ResponseReader(labels, elements).read(body);
        }
      }
    } catch (IOException | MalformedResponse | JacksonException e) {
      return new Unusable("an answer that was kept as it came", Excerpt.of(e.toString()));
    }
    return exchange(request, answers, labels, elements);
  }

  private String key(Request request) {
    return connection.tenant().orElse("") + " " + request.uri() + " " + request.form();
  }

  private QueryAnswer exchange(
      Request request, Optional<AnswerStore> answers, Set<String> labels, Elements elements)
      throws InterruptedException {
    try {
      HttpResponse<InputStream> response =
          trust.client().send(post(request), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream _ = response.body();
          ResponseBody body = ResponseBody.of(response, largestAnswer)) {
        return response.statusCode() == 200
            ? samples(response, body, request, answers, labels, elements)
            : body.refusal(response);
      }
    } catch (IOException e) {
      return new Unusable("an answer", HttpFailure.text(e));
    } catch (ConnectionFileException e) {
      return new Unusable(e.expected(), e.found());
    }
  }

  private HttpRequest post(Request request) {
    HttpRequest.Builder post =
        HttpRequest.newBuilder(request.uri())
            .header("Accept", "application/json")
            .header("Accept-Encoding", "gzip")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(request.form()));
    connection.tenant().ifPresent(tenant -> post.header("X-Scope-OrgID", tenant));
    connection.credentials().header().ifPresent(value -> post.header("Authorization", value));
    return post.build();
  }

  private QueryAnswer samples(
      HttpResponse<?> response,
      ResponseBody body,
      Request request,
      Optional<AnswerStore> answers,
      Set<String> labels,
      Elements elements)
      throws IOException {
    Optional<String> limited = saysItIsPartial(response);
    if (limited.isPresent()) {
      return new Unusable("a complete answer", "header " + limited.get());
    }
    try {
      return answers.isEmpty()
          ? new ResponseReader(labels, elements).read(body)
          : recorded(answers.get(), request, body, new ResponseReader(labels, elements));
    } catch (MalformedResponse e) {
      return new Unusable(
          "the JSON of " + elements.query(), Excerpt.of(String.valueOf(e.getMessage())));
    } catch (UnexpectedEndOfInputException e) {
      return new Unusable("JSON to its end", Excerpt.of(e.getOriginalMessage()));
    } catch (JacksonIOException e) {
      return new Unusable("an answer to its end", failure(e));
    } catch (JacksonException e) {
      return new Unusable(
          "JSON",
          contentType(response)
              + " that begins: "
              + Excerpt.of(body.beginning())
              + " ("
              + Excerpt.of(e.getOriginalMessage())
              + ")");
    }
  }

  /** Only a complete answer is kept. */
  private QueryAnswer recorded(
      AnswerStore answers, Request request, ResponseBody body, ResponseReader reader)
      throws IOException {
    try (AnswerStore.Recording recording = answers.record(key(request), body)) {
      QueryAnswer answer = reader.read(recording);
      if (answer instanceof QueryAnswer.Complete) {
        recording.keep();
      }
      return answer;
    }
  }

  /** The header by which a proxy or a long-term store admits to have left something out. */
  private static Optional<String> saysItIsPartial(HttpResponse<?> response) {
    for (Map.Entry<String, List<String>> header : response.headers().map().entrySet()) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      boolean partial = name.contains("partial") || name.equals("m3-results-limited");
      if (partial && !NO.containsAll(header.getValue())) {
        return Optional.of(Excerpt.of(name + ": " + String.join(", ", header.getValue())));
      }
    }
    return Optional.empty();
  }

  private static String failure(JacksonIOException e) {
    IOException cause = e.getCause();
    return cause == null ? Excerpt.of(e.getOriginalMessage()) : HttpFailure.text(cause);
  }

  private static String contentType(HttpResponse<?> response) {
    return Excerpt.of(response.headers().firstValue("Content-Type").orElse("no content type"));
  }

  private static String text(Duration timeout) {
    return timeout.toMillisPart() == 0 ? timeout.toSeconds() + "s" : timeout.toMillis() + "ms";
  }
}
