package io.gpureclaimer.reclaimer.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.reclaimer.prometheus.PrometheusProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real Prometheus in a time that is not its own: it is written to remotely, and each question is
 * put to it for an instant of the past.
 */
final class RealServer implements AutoCloseable {
  private final PrometheusProcess process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<RemoteWrite.Written> unwritten = new ArrayList<>();

  private RealServer(PrometheusProcess process) {
    this.process = process;
  }

  static RealServer start(Path directory) throws IOException {
    return new RealServer(
        PrometheusProcess.start(
            directory,
            "global: {scrape_interval: 1m}\n",
            "",
            "--storage.tsdb.retention.time=10y",
            "--web.enable-remote-write-receiver"));
  }

  void write(Labels labels, long atMillis, double value) {
    unwritten.add(new RemoteWrite.Written(labels, atMillis, value));
  }

  /** Where it answers about all that was written. */
  URI base() {
    flush();
    return process.base();
  }

  /** The answer, as it came, to a question about that instant. */
  String ask(String query, long atMillis) {
    flush();
    String form =
        "time=" + Numbers.text(atMillis / 1_000.0) + "&query=" + URLEncoder.encode(query, UTF_8);
    return send(
        HttpRequest.newBuilder(process.base().resolve("/api/v1/query"))
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
        HttpRequest.newBuilder(process.base().resolve("/api/v1/write"))
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

  @Override
  public void close() {
    process.close();
    client.close();
  }
}
