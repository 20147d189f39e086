package io.gpureclaimer.reclaimer.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Element;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A Prometheus: it scrapes the agents by its own clock, stores, and answers instant queries over
 * HTTP with what a real one would have stored. Synchronized, because the run scrapes while a client
 * asks.
 */
final class SimulatedPrometheus implements AutoCloseable {
  private static final String EXPORTER = "gpu-exporter";
  private static final Duration CACHED_FOR = Duration.ofMinutes(4);
  private static final int REMEMBERED_SCRAPES = 40;
  private static final Map<String, String> FEDERATED = Map.of("replica", "federated");
  private static final Duration SLOW = Duration.ofSeconds(45);

  private final SkewedClocks time;
  private final SampleStorage storage;
  private final Optional<RealServer> real;
  private final Random random;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Duration clockError = Duration.ZERO;
  private double lostScrapes;
  private double lostSamples;
  private double lostSeries;
  private Set<String> dropped = Set.of();
  private Supplier<ServerBehavior> mood = () -> ServerBehavior.WELL;
  private Instant startedAt;
  private int asked;

  /** What a second replica has stored, which answers every other question, and scrapes rarely. */
  private Optional<SampleStorage> lazyReplica = Optional.empty();

  private Optional<Duration> federationDelay = Optional.empty();
  private final Map<String, Deque<Scraped>> past = new HashMap<>();
  private final Map<String, Cached> cache = new HashMap<>();

  /** What an agent said at some time. */
  private record Scraped(Instant at, List<ExpositionSample> samples) {}

  /** What was answered at some time. */
  private record Cached(Instant at, String answer) {}

  SimulatedPrometheus(SkewedClocks time, Random random) {
    this(time, random, Optional.empty());
  }

  /**
   * @param real answers in its place, from the same samples
   */
  SimulatedPrometheus(SkewedClocks time, Random random, Optional<RealServer> real) {
    this.real = real;
    this.storage = new SampleStorage(real);
    this.time = time;
    this.random = random;
    this.startedAt = time.now().minus(Duration.ofDays(30));
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** How many queries came since this was asked last. */
  synchronized int takeAsked() {
    int taken = asked;
    asked = 0;
    return taken;
  }

  /** How it feels at each question. */
  synchronized void feel(Supplier<ServerBehavior> each) {
    mood = each;
  }

  /** From now on a second replica answers as well that has stored the same, and scrapes rarely. */
  synchronized void alternate(boolean value) {
    lazyReplica = value ? Optional.of(storage.copied()) : Optional.empty();
  }

  /** From now on every series is there once more, as it was so long ago, as if it were now. */
  synchronized void federate(Optional<Duration> delay) {
    federationDelay = delay;
    if (delay.isEmpty()) {
      past.keySet().forEach(node -> storage.failed(EXPORTER, node + "-federated", now()));
    }
  }

  synchronized void setClockError(Duration ahead) {
    clockError = ahead;
  }

  /** Which share of whole scrapes gets lost from now on. */
  synchronized void loseScrapes(double share) {
    lostScrapes = share;
  }

  /** Which share of single samples gets lost from now on on the way to the disk. */
  synchronized void loseSamples(double share) {
    lostSamples = share;
  }

  /** Which share of its series each scrape seems not to have had, from now on. */
  synchronized void loseSeries(double share) {
    lostSeries = share;
  }

  /** Metrics that the configuration drops from now on. */
  synchronized void drop(Set<String> metrics) {
    dropped = metrics;
  }

  synchronized void keepOnly(int samples) {
    storage.keepOnly(samples);
  }

  /** It restarts with an empty disk. */
  synchronized void restart() {
    storage.forget();
    startedAt = time.now();
  }

  synchronized void scrape(SimulatedAgent agent) {
    long at = now();
    own("process_start_time_seconds", SampleNumbers.seconds(startedAt.plus(clockError)), at);
    own("prometheus_build_info", 1, at);
    if (random.nextDouble() < lostScrapes) {
      return;
    }
    Optional<List<ExpositionSample>> said = agent.exposition();
    federate(agent.node(), said, at);
    boolean lazy = random.nextInt(100) < 15;
    lazyReplica.filter(_ -> lazy).ifPresent(other -> scrape(agent.node(), said, other, at));
    scrape(agent.node(), said, storage, at);
  }

  /** Scrapes a kubelet or a pod itself; what does not arrive leaves no mark behind. */
  synchronized void scrape(
      String job,
      String target,
      List<ExpositionSample> samples,
      Predicate<ExpositionSample> arrives) {
    boolean lazy = random.nextInt(100) < 15;
    lazyReplica
        .filter(_ -> lazy)
        .ifPresent(other -> other.scraped(job, target, samples, now(), arrives));
    storage.scraped(job, target, samples, now(), arrives);
  }

  /** Evaluates its recording rules. */
  synchronized void record(RecordingRules rules) {
    rules.evaluate(storage, now(), dropped);
    lazyReplica.ifPresent(other -> rules.evaluate(other, now(), dropped));
  }

  private void federate(String node, Optional<List<ExpositionSample>> said, long at) {
    Deque<Scraped> before = past.computeIfAbsent(node, _ -> new ArrayDeque<>());
    said.ifPresent(now -> before.addLast(new Scraped(time.now(), now)));
    while (before.size() > REMEMBERED_SCRAPES) {
      before.removeFirst();
    }
    federationDelay
        .map(delay -> time.now().minus(delay))
        .flatMap(
            then -> before.stream().filter(scraped -> !scraped.at().isBefore(then)).findFirst())
        .ifPresent(
            scraped ->
                storage.scraped(
                    EXPORTER,
                    node + "-federated",
                    scraped.samples().stream()
                        .map(
                            each ->
                                new ExpositionSample(each.labels().and(FEDERATED), each.value()))
                        .toList(),
                    at,
                    _ -> true));
  }

  private void scrape(
      String node, Optional<List<ExpositionSample>> said, SampleStorage into, long at) {
    said.ifPresentOrElse(
        samples ->
            into.scraped(
                EXPORTER,
                node,
                kept(samples),
                at,
                _ -> lostSamples == 0 || random.nextDouble() >= lostSamples),
        () -> into.failed(EXPORTER, node, at));
  }

  private void own(String metric, double value, long atMillis) {
    storage.ownSample(
        ExpositionSample.of(
            metric, Map.of("job", "prometheus", "instance", "localhost:9090"), value),
        atMillis);
  }

  private List<ExpositionSample> kept(List<ExpositionSample> samples) {
    return lostSeries == 0 && dropped.isEmpty()
        ? samples
        : samples.stream()
            .filter(sample -> !dropped.contains(sample.labels().all().get("__name__")))
            .filter(_ -> random.nextDouble() >= lostSeries)
            .toList();
  }

  private long now() {
    return time.now().plus(clockError).toEpochMilli();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String path = exchange.getRequestURI().getPath();
      if (!path.equals("/api/v1/query")) {
        send(exchange, 404, "404 page not found");
        return;
      }
      Map<String, String> parameters =
          parameters(form.isEmpty() ? exchange.getRequestURI().getRawQuery() : form);
      answer(exchange, parameters.getOrDefault("query", ""));
    }
  }

  private void answer(HttpExchange exchange, String query) throws IOException {
    ServerBehavior now;
    synchronized (this) {
      asked++;
      now = mood.get();
    }
    switch (now) {
      case WELL -> sendVector(exchange, query, "");
      case SLOW -> {
        String answer = vector(query, "");
        time.moveTo(time.now().plus(SLOW));
        send(exchange, 200, answer);
      }
      case CACHED -> send(exchange, 200, cached(query));
      case SILENT -> hold();
      case EMPTY -> send(exchange, 200, envelope("", ""));
      case FAILING -> send(exchange, 500, "{\"status\":\"error\",\"error\":\"out of memory\"}");
      case OVERLOADED ->
          send(
              exchange,
              503,
              "{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"}");
      case CUT -> cut(exchange, vector(query, ""));
      case PARTIAL ->
          sendVector(exchange, query, ",\"warnings\":[\"fetch series: a store did not answer\"]");
      case LOGIN_PAGE -> send(exchange, 200, "<html>please log in</html>");
    }
  }

  private synchronized String cached(String query) {
    Instant longAgo = time.now().minus(CACHED_FOR);
    Cached known = cache.get(query);
    if (known == null || known.at().isBefore(longAgo)) {
      known = new Cached(time.now(), vector(query, ""));
      cache.put(query, known);
    }
    return known.answer();
  }

  private void sendVector(HttpExchange exchange, String query, String more) throws IOException {
    try {
      send(exchange, 200, vector(query, more));
    } catch (PromQlError e) {
      send(
          exchange,
          400,
          "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\""
              + String.valueOf(e.getMessage()).replace('"', '\'')
              + " in "
              + query.replace("\\", "\\\\").replace("\"", "'").replace("\n", " ")
              + "\"}");
    }
  }

  private synchronized String vector(String query, String more) {
    if (real.isPresent()) {
      return real.get().ask(query, now());
    }
    List<Element> elements = PromQlEvaluator.at(asked(), now(), query);
    if (!more.isEmpty()) {
      elements = elements.stream().filter(_ -> random.nextBoolean()).toList();
    }
    double at = SampleNumbers.seconds(Instant.ofEpochMilli(now()));
    return envelope(
        elements.stream()
            .map(
                each ->
                    each.labels().entrySet().stream()
                            .map(label -> "\"" + label.getKey() + "\":\"" + label.getValue() + "\"")
                            .collect(Collectors.joining(",", "{\"metric\":{", "},"))
                        + "\"value\":["
                        + SampleNumbers.text(at)
                        + ",\""
                        + SampleNumbers.text(each.value())
                        + "\"]}")
            .collect(Collectors.joining(",")),
        more);
  }

  private SampleStorage asked() {
    return lazyReplica.filter(_ -> random.nextBoolean()).orElse(storage);
  }

  private static String envelope(String elements, String more) {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":["
        + elements
        + "]}"
        + more
        + "}";
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
  }

  private static void cut(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body, 0, body.length / 2);
    exchange.getResponseBody().flush();
    // Closing with less than was promised resets the connection.
  }

  private static void hold() {
    try {
      Thread.sleep(Duration.ofSeconds(10));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> parameters(String form) {
    return Arrays.stream(form.split("&"))
        .map(each -> each.split("=", 2))
        .filter(each -> each.length == 2)
        .collect(
            Collectors.toMap(
                each -> each[0], each -> URLDecoder.decode(each[1], UTF_8), (_, last) -> last));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
