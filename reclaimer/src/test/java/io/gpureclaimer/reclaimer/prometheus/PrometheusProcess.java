package io.gpureclaimer.reclaimer.prometheus;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The real server of this machine, on a port of its own, with nothing stored yet. */
public final class PrometheusProcess implements AutoCloseable {
  private final Process process;
  private final URI base;

  private PrometheusProcess(Process process, URI base) {
    this.process = process;
    this.base = base;
  }

  /** Where it is, if this machine has one. */
  public static Optional<Path> binary() {
    return DebianTool.of("prometheus", "prometheus");
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param directory keeps its configuration, log, and data
   * @param prefix the path that it serves under, empty or beginning with a slash
   * @param flags besides those for that
   */
  public static PrometheusProcess start(
      Path directory, String configuration, String prefix, String... flags) throws IOException {
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(config, configuration);
    URI base = URI.create("http://127.0.0.1:" + freePort() + prefix);
    List<String> command = new ArrayList<>();
    command.add(binary().orElseThrow().toString());
    command.add("--config.file=" + config);
    command.add("--storage.tsdb.path=" + directory.resolve("data"));
    command.add("--web.listen-address=" + base.getAuthority());
    command.add("--web.external-url=" + base);
    command.addAll(List.of(flags));
    var started =
        new PrometheusProcess(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start(),
            base);
    await().atMost(Duration.ofSeconds(60)).until(started::isReady);
    return started;
  }

  public URI base() {
    return base;
  }

  long pid() {
    return process.pid();
  }

  /** The CPU time that it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  private boolean isReady() throws InterruptedException {
    if (!process.isAlive()) {
      throw new IllegalStateException("prometheus ended with " + process.exitValue());
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(base + "/-/ready")).build();
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
  }
}
