package io.gpureclaimer.reclaimer.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.reclaimer.evidence.source.Backfill;
import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.evidence.source.QueryRequests;
import io.gpureclaimer.reclaimer.evidence.source.RemoteWrite;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real server in a time that is not its own: it is written to remotely, and each question is put
 * to it for an instant of the past.
 */
final class RealServer implements AutoCloseable {
  private final PrometheusCompatibleServer.RunningServer server;
  private final List<RemoteWrite.WrittenSample> unwritten = new ArrayList<>();

  private RealServer(PrometheusCompatibleServer.RunningServer server) {
    this.server = server;
  }

  static RealServer start(PrometheusCompatibleServer kind, Path directory) throws IOException {
    return new RealServer(
        kind.start(directory, PrometheusCompatibleServer.ServerSetup.of(new Backfill())));
  }

  void write(LabelSet labels, long atMillis, double value) {
    unwritten.add(new RemoteWrite.WrittenSample(labels.all(), atMillis, value));
  }

  /** Where it answers about all that was written. */
  URI base() {
    flush();
    return server.base();
  }

  /** The answer, as it came, to a question about that instant. */
  String ask(String query, long atMillis) {
    flush();
    String form =
        "time="
            + SampleNumbers.text(atMillis / 1_000.0)
            + "&query="
            + URLEncoder.encode(query, UTF_8);
    return QueryRequests.send(
        HttpRequest.newBuilder(URI.create(server.base() + "/api/v1/query"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build(),
        200);
  }

  private void flush() {
    if (unwritten.isEmpty()) {
      return;
    }
    server.take(unwritten);
    server.settle();
    unwritten.clear();
  }

  @Override
  public void close() {
    server.close();
  }
}
