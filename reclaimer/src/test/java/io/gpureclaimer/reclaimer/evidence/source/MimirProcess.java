package io.gpureclaimer.reclaimer.evidence.source;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * All of the real Mimir of this machine in one process, on ports of its own. It does not scrape: a
 * Prometheus does that, if anything is scraped, and writes to it.
 */
final class MimirProcess implements PrometheusCompatibleServer.RunningServer {
  /** Where it is written to. */
  static final String PUSH = "/api/v1/push";

  private static final int SAMPLES_AT_ONCE = 50_000;

  private final ServerProcess process;
  private final URI address;
  private final URI base;
  private final Optional<PrometheusProcess> scraper;

  private MimirProcess(
      ServerProcess process, URI address, URI base, Optional<PrometheusProcess> scraper) {
    this.process = process;
    this.address = address;
    this.base = base;
    this.scraper = scraper;
  }

  /** Where it is, if this machine has one. */
  static Optional<Path> binary() {
    return PrometheusCompatibleServer.program("mimir", "mimir");
  }

  /** Starts it without a default tenant, waits until it is ready, and gives it the past. */
  static MimirProcess start(Path directory, PrometheusCompatibleServer.ServerSetup scene)
      throws IOException {
    URI address = URI.create("http://" + ServerProcess.freeAddress());
    ServerProcess process =
        process(
            directory,
            address,
            "-auth.multitenancy-enabled=false",
            "-http.prometheus-http-prefix=" + scene.prefix());
    Optional<PrometheusProcess> scraper =
        scene.scrapes().equals("[]")
            ? Optional.empty()
            : Optional.of(scraper(directory, scene, address));
    var started = new MimirProcess(process, address, URI.create(address + scene.prefix()), scraper);
    started.take(scene.past().written());
    return started;
  }

  /**
   * The process alone, when it is ready.
   *
   * @param address where it serves
   */
  static ServerProcess process(Path directory, URI address, String... flags) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                binary().orElseThrow().toString(),
                "-target=all",
                "-server.http-listen-address=127.0.0.1",
                "-server.http-listen-port=" + address.getPort(),
                "-server.grpc-listen-address=127.0.0.1",
                "-server.grpc-listen-port=" + port(),
                "-memberlist.bind-addr=127.0.0.1",
                "-memberlist.bind-port=" + port(),
                "-usage-stats.enabled=false",
                "-activity-tracker.filepath=",
                "-common.storage.backend=filesystem",
                "-common.storage.filesystem.dir=" + directory.resolve("common"),
                "-blocks-storage.filesystem.dir=" + directory.resolve("blocks"),
                "-blocks-storage.tsdb.dir=" + directory.resolve("tsdb"),
                "-blocks-storage.bucket-store.sync-dir=" + directory.resolve("sync"),
                "-compactor.data-dir=" + directory.resolve("compactor"),
                "-ruler.rule-path=" + directory.resolve("rules"),
                // Whatever is written is taken, and asked for where it lies, in the ingester.
                "-ingester.out-of-order-time-window=876000h",
                "-querier.query-ingesters-within=0",
                "-distributor.ingestion-rate-limit=1e9",
                "-distributor.ingestion-burst-size=1000000000",
                "-ingester.max-global-series-per-user=0"));
    for (String ring :
        List.of(
            "ingester.ring",
            "distributor.ring",
            "compactor.ring",
            "ruler.ring",
            "querier.ring",
            "query-scheduler.ring",
            "store-gateway.sharding-ring")) {
      command.add("-" + ring + ".instance-addr=127.0.0.1");
      command.add("-" + ring + ".store=inmemory");
    }
    command.add("-query-frontend.instance-addr=127.0.0.1");
    command.add("-ingester.ring.min-ready-duration=0s");
    command.add("-ingester.ring.replication-factor=1");
    command.add("-store-gateway.sharding-ring.replication-factor=1");
    command.addAll(List.of(flags));
    return ServerProcess.start(
        command, directory.resolve("mimir.log"), URI.create(address + "/ready"));
  }

  /** One shard, so that what came first is also written first. */
  private static PrometheusProcess scraper(
      Path directory, PrometheusCompatibleServer.ServerSetup scene, URI address)
      throws IOException {
    String written =
        "remote_write: [{url: "
            + address
            + PUSH
            + ", queue_config: {min_shards: 1, max_shards: 1, batch_send_deadline: 50ms}}]\n";
    return PrometheusProcess.start(directory, scene.configuration("") + written, scene.prefix());
  }

  private static String port() throws IOException {
    return ServerProcess.freeAddress().replaceFirst(".*:", "");
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void take(Collection<RemoteWrite.WrittenSample> samples) {
    List<RemoteWrite.WrittenSample> all = List.copyOf(samples);
    for (int start = 0; start < all.size(); start += SAMPLES_AT_ONCE) {
      int end = Math.min(all.size(), start + SAMPLES_AT_ONCE);
      RemoteWrite.send(all.subList(start, end), URI.create(address + PUSH), 200);
    }
  }

  /** When a scrape of each target has come that began later, so has all before it. */
  @Override
  public void settle() {
    if (scraper.isPresent()) {
      double begun = Clock.systemUTC().millis() / 1_000.0;
      await().atMost(Duration.ofSeconds(30)).until(() -> oldestScrape() >= begun);
    }
  }

  private double oldestScrape() {
    URI question = URI.create(base + "/api/v1/query?query=min(timestamp(up))");
    String answer = QueryRequests.send(HttpRequest.newBuilder(question).build(), 200);
    return answer.contains("\"value\"")
        ? Double.parseDouble(answer.replaceFirst("(?s).*,\"([0-9.e+]+)\".*", "$1"))
        : 0;
  }

  @Override
  public void close() {
    scraper.ifPresent(PrometheusProcess::close);
    process.close();
  }
}
