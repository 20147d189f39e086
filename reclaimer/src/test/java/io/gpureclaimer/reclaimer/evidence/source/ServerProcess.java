package io.gpureclaimer.reclaimer.evidence.source;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of this machine that serves HTTP; it has ended when it is closed. */
final class ServerProcess implements AutoCloseable {
  private final Process process;

  private ServerProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param ready answers with HTTP 200 from then on
   */
  static ServerProcess start(List<String> command, Path log, URI ready) throws IOException {
    var started =
        new ServerProcess(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
    await().atMost(Duration.ofSeconds(60)).until(() -> started.isReady(ready, log));
    return started;
  }

  /** An address of this machine without a listener. */
  static String freeAddress() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  Process process() {
    return process;
  }

  private boolean isReady(URI ready, Path log) throws InterruptedException {
    if (!process.isAlive()) {
      throw new IllegalStateException("ended with " + process.exitValue() + ", see " + log);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(ready).build();
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
  }
}
