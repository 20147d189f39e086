package io.gpureclaimer.reclaimer.evidence.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The real VictoriaMetrics of this machine as a single node, on a port of its own. */
final class VictoriaMetricsProcess implements PrometheusCompatibleServer.RunningServer {
  private final ServerProcess process;
  private final URI base;

  private VictoriaMetricsProcess(ServerProcess process, URI base) {
    this.process = process;
    this.base = base;
  }

  /** Where it is, if this machine has one. */
  static Optional<Path> binary() {
    return PrometheusCompatibleServer.program("victoria-metrics", "VictoriaMetrics");
  }

  /** Starts it, waits until it is ready, and gives it the past. */
  static VictoriaMetricsProcess start(Path directory, PrometheusCompatibleServer.ServerSetup scene)
      throws IOException {
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(config, scene.configuration(""));
    URI base = URI.create("http://" + ServerProcess.freeAddress() + scene.prefix());
    var started =
        new VictoriaMetricsProcess(
            ServerProcess.start(
                List.of(
                    binary().orElseThrow().toString(),
                    "-promscrape.config=" + config,
                    "-storageDataPath=" + directory.resolve("data"),
                    "-httpListenAddr=" + base.getAuthority(),
                    "-http.pathPrefix=" + scene.prefix(),
                    "-retentionPeriod=100y"),
                directory.resolve("victoria-metrics.log"),
                URI.create(base + "/health")),
            base);
    started.take(scene.past());
    return started;
  }

  private void take(Backfill past) {
    if (!past.isEmpty()) {
      QueryRequests.send(
          HttpRequest.newBuilder(URI.create(base + "/api/v1/import/prometheus"))
              .POST(BodyPublishers.ofString(past.inMilliseconds()))
              .build(),
          204);
    }
    settle();
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void take(Collection<RemoteWrite.WrittenSample> samples) {
    RemoteWrite.send(samples, URI.create(base + "/api/v1/write"), 204);
  }

  /** What it has been given is else found a second or two later. */
  @Override
  public void settle() {
    QueryRequests.send(
        HttpRequest.newBuilder(URI.create(base + "/internal/force_flush")).build(), 200);
  }

  /** It returns the last sample of a series for minutes after the series has ended. */
  @Override
  public void forget() {
    String all = URLEncoder.encode("{__name__=~\"(?i)(dcgm|gpu).*\"}", UTF_8);
    URI delete = URI.create(base + "/api/v1/admin/tsdb/delete_series?match%5B%5D=" + all);
    QueryRequests.send(HttpRequest.newBuilder(delete).POST(BodyPublishers.noBody()).build(), 204);
  }

  @Override
  public void close() {
    process.close();
  }
}
