package io.gpureclaimer.reclaimer.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The real server, scraping small targets that expose whatever a test wants. */
final class RealPrometheus implements AutoCloseable {

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

  private final Target agents = new Target();
  private final Target relabeled = new Target();
  private final Target overwritten = new Target();
  private final Process process;
  private final URI base;

  private RealPrometheus(String binary, Path directory) throws IOException {
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 100ms, scrape_timeout: 100ms}
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
            .replace("OVERWRITTEN", overwritten.address()));
    int port = freePort();
    base = URI.create("http://127.0.0.1:" + port + "/some/prefix");
    process =
        new ProcessBuilder(
                binary,
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--web.external-url=" + base)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
  }

  /** The first {@code prometheus} on the PATH. */
  static Optional<String> binary() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, "prometheus"))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  static RealPrometheus start(String binary, Path directory) throws IOException {
    var prometheus = new RealPrometheus(binary, directory);
    await().atMost(Duration.ofSeconds(60)).until(prometheus::ready);
    return prometheus;
  }

  URI base() {
    return base;
  }

  /** Scraped as it should be. */
  Target agents() {
    return agents;
  }

  /** Scraped with the target's own pod and namespace, as is usual without honor_labels. */
  Target relabeled() {
    return relabeled;
  }

  /** Scraped with a pod UID of the target's own. */
  Target overwritten() {
    return overwritten;
  }

  private boolean ready() throws InterruptedException {
    if (!process.isAlive()) {
      throw new IllegalStateException("prometheus ended with " + process.exitValue());
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(base + "/-/ready")).build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
    agents.close();
    relabeled.close();
    overwritten.close();
  }
}
