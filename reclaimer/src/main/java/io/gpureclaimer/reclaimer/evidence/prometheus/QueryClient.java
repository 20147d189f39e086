package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.ConnectionFileException;
import io.gpureclaimer.reclaimer.client.Excerpt;
import io.gpureclaimer.reclaimer.client.Failure;
import io.gpureclaimer.reclaimer.client.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
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

/** Asks the Prometheus one question at a time. Safe for any thread. */
public final class QueryClient {
  private static final String SETTING = "prometheus.timeout (--prometheus-timeout)";
  private static final Set<String> NO = Set.of("false", "0", "no");

  private final PrometheusConnection connection;
  private final Trust trust;
  private final long largestAnswer;

  /**
   * @param largestAnswer in bytes, uncompressed
   */
  public QueryClient(PrometheusConnection connection, long largestAnswer) {
    this.connection = connection;
    this.trust = new Trust(connection.caFile());
    this.largestAnswer = largestAnswer;
  }

  /** The address that is asked; it holds no credentials. */
  public URI uri() {
    return connection.queryUri();
  }

  /** The address that is asked about ranges of time; it holds no credentials. */
  public URI rangeUri() {
    return connection.rangeUri();
  }

  /**
   * Asks about all looks of a slice, and hands on the series while they come.
   *
   * @param labels those wanted of each series
   * @param into as in {@link #ask(String, Set, Consumer)}
   */
  public Answer ask(String query, Slice slice, Set<String> labels, Consumer<RangeSeries> into) {
    return ask(Question.past(connection, query, slice), labels, new Elements.Matrix(into));
  }

  /**
   * Asks, and hands on the samples while they come.
   *
   * @param labels those wanted of each sample
   * @param into called on another thread, which has ended if the answer is complete; not to be
   *     looked at if it is not
   */
  public Answer ask(String query, Set<String> labels, Consumer<VectorSample> into) {
    return ask(Question.now(connection, query), labels, new Elements.Vector(into));
  }

  private Answer ask(Question question, Set<String> labels, Elements elements) {
    // The JDK's client has no deadline for a body that drips, so the whole exchange gets one here.
    var exchange = new FutureTask<>(() -> exchange(question, labels, elements));
    Thread.ofVirtual().name("prometheus-query").start(exchange);
    try {
      return exchange.get(connection.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      exchange.cancel(true);
      return new Answer.Unusable(
          "an answer within the " + text(connection.timeout()) + " of " + SETTING, "none");
    } catch (InterruptedException _) {
      exchange.cancel(true);
      Thread.currentThread().interrupt();
      return new Answer.Unusable("an answer", "an interruption of our own");
    } catch (ExecutionException e) {
      throw new IllegalStateException("a query failed in a way nobody thought of", e.getCause());
    }
  }

  private Answer exchange(Question question, Set<String> labels, Elements elements)
      throws InterruptedException {
    try {
      HttpResponse<InputStream> response =
          trust.client().send(request(question), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream _ = response.body();
          AnswerBody body = AnswerBody.of(response, largestAnswer)) {
        return response.statusCode() == 200
            ? samples(response, body, labels, elements)
            : Refusal.of(response, body);
      }
    } catch (IOException e) {
      return new Answer.Unusable("an answer", Failure.text(e));
    } catch (ConnectionFileException e) {
      return new Answer.Unusable(e.expected(), e.found());
    }
  }

  private HttpRequest request(Question question) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(question.uri())
            .header("Accept", "application/json")
            .header("Accept-Encoding", "gzip")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(question.form()));
    connection.tenant().ifPresent(tenant -> request.header("X-Scope-OrgID", tenant));
    Authorization.header(connection.credentials())
        .ifPresent(value -> request.header("Authorization", value));
    return request.build();
  }

  private static Answer samples(
      HttpResponse<?> response, AnswerBody body, Set<String> labels, Elements elements) {
    Optional<String> limited = saysItIsPartial(response);
    if (limited.isPresent()) {
      return new Answer.Unusable("a complete answer", "header " + limited.get());
    }
    try {
      return new AnswerReader(labels, elements).read(body).answer(elements);
    } catch (MalformedAnswer e) {
      return new Answer.Unusable(
          "the JSON of " + elements.question(), Excerpt.of(String.valueOf(e.getMessage())));
    } catch (UnexpectedEndOfInputException e) {
      return new Answer.Unusable("JSON to its end", Excerpt.of(e.getOriginalMessage()));
    } catch (JacksonIOException e) {
      return new Answer.Unusable("an answer to its end", failure(e));
    } catch (JacksonException e) {
      return new Answer.Unusable(
          "JSON",
          contentType(response)
              + " that begins: "
              + Excerpt.of(body.beginning())
              + " ("
              + Excerpt.of(e.getOriginalMessage())
              + ")");
    }
  }

  /** The header by which a proxy or a long-term store admits to have left something out. */
  private static Optional<String> saysItIsPartial(HttpResponse<?> response) {
    for (Map.Entry<String, List<String>> header : response.headers().map().entrySet()) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      boolean tells = name.contains("partial") || name.equals("m3-results-limited");
      if (tells && !NO.containsAll(header.getValue())) {
        return Optional.of(Excerpt.of(name + ": " + String.join(", ", header.getValue())));
      }
    }
    return Optional.empty();
  }

  private static String failure(JacksonIOException e) {
    IOException cause = e.getCause();
    return cause == null ? Excerpt.of(e.getOriginalMessage()) : Failure.text(cause);
  }

  private static String contentType(HttpResponse<?> response) {
    return Excerpt.of(response.headers().firstValue("Content-Type").orElse("no content type"));
  }

  private static String text(Duration timeout) {
    return timeout.toMillisPart() == 0 ? timeout.toSeconds() + "s" : timeout.toMillis() + "ms";
  }
}
