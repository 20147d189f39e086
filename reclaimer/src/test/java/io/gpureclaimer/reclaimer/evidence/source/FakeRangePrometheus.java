package io.gpureclaimer.reclaimer.evidence.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Answers questions about ranges with what a function of the time says there was, and remembers
 * what it was asked.
 */
final class FakeRangePrometheus implements AutoCloseable {

  /** One question. */
  record Asked(String path, Map<String, String> parameters) {
    String query() {
      return parameters.getOrDefault("query", "");
    }

    Instant start() {
      return seconds("start");
    }

    Instant end() {
      return seconds("end");
    }

    long looks() {
      return (end().getEpochSecond() - start().getEpochSecond()) / step() + 1;
    }

    private long step() {
      return seconds("step").getEpochSecond();
    }

    private Instant seconds(String name) {
      return Instant.ofEpochSecond(Long.parseLong(parameters.getOrDefault(name, "")));
    }

    boolean isProbe() {
      return query().contains("count by (__name__)");
    }
  }

  private final HttpServer server;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Function<Instant, List<ExposedSeries>> past;
  private final long mostLooks;

  /**
   * @param past what a Prometheus would have answered at each time, as it comes
   * @param mostLooks longer ranges are refused as a Prometheus does to which they are too much
   */
  FakeRangePrometheus(Function<Instant, List<ExposedSeries>> past, long mostLooks)
      throws IOException {
    this.past = past;
    this.mostLooks = mostLooks;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  PrometheusConnection connection() {
    return PrometheusConnection.to(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort()), Duration.ofSeconds(20));
  }

  List<Asked> asked() {
    return List.copyOf(asked);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    var question =
        new Asked(
            exchange.getRequestURI().getPath(),
            Stream.of(form.split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8))));
    asked.add(question);
    boolean tooMuch = question.looks() > mostLooks;
    byte[] body = (tooMuch ? refusal() : matrix(question)).getBytes(UTF_8);
    exchange.sendResponseHeaders(tooMuch ? 422 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String refusal() {
    return "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"query processing would"
        + " load too many samples into memory in query execution\"}";
  }

  private String matrix(Asked question) {
    Map<String, List<String>> series = new TreeMap<>();
    if (question.isProbe()) {
      return matrix(series);
    }
    LongStream.range(0, question.looks())
        .mapToObj(look -> question.start().plusSeconds(look * question.step()))
        .forEach(
            at ->
                past.apply(at)
                    .forEach(
                        one ->
                            series
                                .computeIfAbsent(labels(one), _ -> new CopyOnWriteArrayList<>())
                                .add("[" + at.getEpochSecond() + ",\"" + one.number() + "\"]")));
    return matrix(series);
  }

  private static String matrix(Map<String, List<String>> series) {
    return series.entrySet().stream()
        .map(
            each ->
                "{\"values\":["
                    + String.join(",", each.getValue())
                    + "],\"metric\":{"
                    + each.getKey()
                    + "}}")
        .collect(
            joining(
                ",",
                "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[",
                "]}}"));
  }

  private static String labels(ExposedSeries shown) {
    Map<String, String> labels = new TreeMap<>(shown.labels());
    if (!shown.name().isEmpty()) {
      labels.put("__name__", shown.name());
    }
    return labels.entrySet().stream()
        .map(label -> "\"" + label.getKey() + "\":\"" + label.getValue() + "\"")
        .collect(joining(","));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
