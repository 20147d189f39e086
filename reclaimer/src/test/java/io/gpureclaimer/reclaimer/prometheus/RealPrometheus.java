package io.gpureclaimer.reclaimer.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The real server for the tests of one class, scraping small targets that expose whatever a test
 * wants. Where the machine has none, those tests are skipped.
 */
final class RealPrometheus
    implements ExecutionCondition, BeforeAllCallback, AfterEachCallback, AfterAllCallback {

  /** One target; counts how often it was scraped. */
  static final class Target implements AutoCloseable {
    private final HttpServer server;
    private final AtomicReference<String> text = new AtomicReference<>("");
    private final AtomicInteger scrapes = new AtomicInteger();

    private Target() throws IOException {
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

    /** Returns when the second scrape of it has begun, so that the first is stored. */
    void exposes(String metrics) {
      if (text.getAndSet(metrics).equals(metrics)) {
        return;
      }
      int before = scrapes.get();
      await().atMost(Duration.ofSeconds(20)).until(() -> scrapes.get() >= before + 2);
    }

    private String address() {
      return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** What lives as long as the tests of the class. */
  private record Running(
      PrometheusProcess process,
      Path directory,
      Target agents,
      Target relabeled,
      Target overwritten) {
    List<Target> targets() {
      return List.of(agents, relabeled, overwritten);
    }
  }

  private @Nullable Running running;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return PrometheusProcess.binary().isPresent()
        ? enabled("there is a prometheus")
        : disabled("no prometheus on the PATH, nor where ./test unpacks it");
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    Path directory = Files.createTempDirectory("prometheus");
    var agents = new Target();
    var relabeled = new Target();
    var overwritten = new Target();
    String configuration =
        """
        global: {scrape_interval: 300ms, scrape_timeout: 300ms}
        scrape_configs:
          - job_name: agents
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
    running =
        new Running(
            PrometheusProcess.start(directory, configuration, "/some/prefix"),
            directory,
            agents,
            relabeled,
            overwritten);
  }

  /** Hides what a test showed. */
  @Override
  public void afterEach(ExtensionContext context) {
    running().targets().forEach(target -> target.exposes(""));
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    running().process().close();
    running().targets().forEach(Target::close);
    try (Stream<Path> files = Files.walk(running().directory())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  URI base() {
    return running().process().base();
  }

  /** Scraped as it should be. */
  Target agents() {
    return running().agents();
  }

  /** Scraped with the target's own pod and namespace, as is usual without honor_labels. */
  Target relabeled() {
    return running().relabeled();
  }

  /** Scraped with a pod UID of the target's own. */
  Target overwritten() {
    return running().overwritten();
  }

  private Running running() {
    return Objects.requireNonNull(running, "before the first test");
  }
}
