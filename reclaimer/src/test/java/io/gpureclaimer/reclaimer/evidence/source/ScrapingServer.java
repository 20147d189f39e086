package io.gpureclaimer.reclaimer.evidence.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * A real server for the tests of one class, scraping small targets that expose whatever a test
 * wants. Where the machine has none, those tests are skipped.
 */
final class ScrapingServer implements AutoCloseable {
  /** One target; counts how often it was scraped. */
  static final class ScrapeTarget implements AutoCloseable {
    private final HttpServer server;
    private final AtomicReference<String> text = new AtomicReference<>("");
    private final AtomicInteger scrapes = new AtomicInteger();
    private final AtomicReference<Runnable> settling = new AtomicReference<>(() -> {});

    private ScrapeTarget() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/metrics",
          exchange -> {
            byte[] body = text.get().getBytes(UTF_8);
            scrapes.incrementAndGet();
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
    }

    /** Returns when the second scrape of it has begun, and the first is stored and answered. */
    void exposes(String metrics) {
      if (text.getAndSet(metrics).equals(metrics)) {
        return;
      }
      int before = scrapes.get();
      await().atMost(Duration.ofSeconds(20)).until(() -> scrapes.get() >= before + 2);
      settling.get().run();
    }

    private String address() {
      return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private final PrometheusCompatibleServer.RunningServer server;
  private final Path directory;
  private final ScrapeTarget agents;
  private final ScrapeTarget relabeled;
  private final ScrapeTarget overwritten;

  private ScrapingServer(
      PrometheusCompatibleServer.RunningServer server,
      Path directory,
      ScrapeTarget agents,
      ScrapeTarget relabeled,
      ScrapeTarget overwritten) {
    this.server = server;
    this.directory = directory;
    this.agents = agents;
    this.relabeled = relabeled;
    this.overwritten = overwritten;
  }

  /** Starts one of that kind. */
  static ScrapingServer start(PrometheusCompatibleServer kind) throws IOException {
    assumeTrue(kind.isHere(), kind + " is not on the PATH, nor where ./test puts it");
    Path directory = Files.createTempDirectory("server");
    var agents = new ScrapeTarget();
    var relabeled = new ScrapeTarget();
    var overwritten = new ScrapeTarget();
    String scrapes =
        """

          - job_name: agents
            honor_timestamps: true
            static_configs: [{targets: ["AGENTS"]}]
          - job_name: relabeled
            static_configs:
              - targets: ["RELABELED"]
                labels: {pod: agent-7, namespace: monitoring, container: agent}
          - job_name: overwritten
            static_configs:
              - targets: ["OVERWRITTEN"]
                labels: {pod_uid: uid-of-the-agent}
        """
            .replace("AGENTS", agents.address())
            .replace("RELABELED", relabeled.address())
            .replace("OVERWRITTEN", overwritten.address());
    var scene =
        new PrometheusCompatibleServer.ServerSetup(
            "300ms", scrapes, "/some/prefix", new Backfill());
    var started =
        new ScrapingServer(kind.start(directory, scene), directory, agents, relabeled, overwritten);
    started.targets().forEach(target -> target.settling.set(started::settle));
    return started;
  }

  private List<ScrapeTarget> targets() {
    return List.of(agents, relabeled, overwritten);
  }

  /** Now may be the last full second. */
  private void settle() {
    double stored = Clock.systemUTC().millis() / 1_000.0;
    server.settle();
    await().atMost(Duration.ofSeconds(10)).until(() -> now() >= stored);
  }

  private double now() {
    URI time = URI.create(server.base() + "/api/v1/query?nocache=1&query=time()");
    String answer = QueryRequests.send(HttpRequest.newBuilder(time).build(), 200);
    return Double.parseDouble(answer.replaceFirst("(?s).*?\\[([0-9.]+),\".*", "$1"));
  }

  /** Hides what a test showed. */
  void hide() {
    targets().forEach(target -> target.exposes(""));
    server.forget();
  }

  URI base() {
    return server.base();
  }

  /** Scraped as it should be. */
  ScrapeTarget agents() {
    return agents;
  }

  /** Scraped with the target's own pod and namespace, as is usual without honor_labels. */
  ScrapeTarget relabeled() {
    return relabeled;
  }

  /** Scraped with a pod UID of the target's own. */
  ScrapeTarget overwritten() {
    return overwritten;
  }

  @Override
  public void close() throws IOException {
    server.close();
    targets().forEach(ScrapeTarget::close);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
