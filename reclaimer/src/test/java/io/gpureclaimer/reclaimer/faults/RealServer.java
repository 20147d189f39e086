package io.gpureclaimer.reclaimer.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real Prometheus in a time that is not its own: it is written to remotely, and each question is
 * put to it for an instant of the past.
 */
final class RealServer implements AutoCloseable {
  private final Process process;
  private final URI base;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<RemoteWrite.Written> unwritten = new ArrayList<>();

  private RealServer(Process process, URI base) {
    this.process = process;
    this.base = base;
  }

  /** The first {@code prometheus} on the PATH. */
  static Optional<String> binary() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, "prometheus"))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  static RealServer start(String binary, Path directory) throws IOException {
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(config, "global: {scrape_interval: 1m}\n");
    int port = freePort();
    Process process =
        new ProcessBuilder(
                binary,
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--storage.tsdb.retention.time=10y",
                "--web.enable-remote-write-receiver",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
    var server = new RealServer(process, URI.create("http://127.0.0.1:" + port));
    await().atMost(Duration.ofSeconds(60)).until(server::isReady);
    return server;
  }

  void write(Labels labels, long atMillis, double value) {
    unwritten.add(new RemoteWrite.Written(labels, atMillis, value));
  }

  /** The answer, as it came, to a question about that instant. */
  String ask(String query, long atMillis) {
    flush();
    String form =
        "time=" + Numbers.text(atMillis / 1_000.0) + "&query=" + URLEncoder.encode(query, UTF_8);
    return send(
        HttpRequest.newBuilder(base.resolve("/api/v1/query"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build(),
        200);
  }

  private void flush() {
    if (unwritten.isEmpty()) {
      return;
    }
    send(
        HttpRequest.newBuilder(base.resolve("/api/v1/write"))
            .header("Content-Type", "application/x-protobuf")
            .header("Content-Encoding", "snappy")
            .header("X-Prometheus-Remote-Write-Version", "0.1.0")
            .POST(BodyPublishers.ofByteArray(RemoteWrite.body(unwritten)))
            .build(),
        204);
    unwritten.clear();
  }

  private String send(HttpRequest request, int expected) {
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != expected) {
        throw new IllegalStateException(
            request.uri()
                + ": expected "
                + expected
                + ", found "
                + response.statusCode()
                + " "
                + response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      HttpRequest request = HttpRequest.newBuilder(base.resolve("/-/ready")).build();
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
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
    client.close();
  }
}
