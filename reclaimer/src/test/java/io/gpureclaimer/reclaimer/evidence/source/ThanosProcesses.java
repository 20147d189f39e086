package io.gpureclaimer.reclaimer.evidence.source;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A querier of the real Thanos of this machine, and behind it some Prometheus with a sidecar each.
 */
final class ThanosProcesses implements PrometheusCompatibleServer.RunningServer {

  /** One Prometheus and its sidecar. */
  record Store(PrometheusProcess prometheus, ServerProcess sidecar, String address)
      implements AutoCloseable {
    @Override
    public void close() {
      sidecar.close();
      prometheus.close();
    }
  }

  private final List<Store> stores;
  private final ServerProcess querier;
  private final URI base;

  private ThanosProcesses(List<Store> stores, ServerProcess querier, URI base) {
    this.stores = List.copyOf(stores);
    this.querier = querier;
    this.base = base;
  }

  /** Where it is, if this machine has one. */
  static Optional<Path> binary() {
    return PrometheusCompatibleServer.program("thanos", "thanos");
  }

  /** Over one Prometheus, which always has to answer. */
  static ThanosProcesses start(Path directory, PrometheusCompatibleServer.ServerSetup scene)
      throws IOException {
    return start(directory, scene.prefix(), "--endpoint-strict", store(directory, "a", scene));
  }

  /**
   * Over several.
   *
   * @param endpoint the flag that names each of them
   */
  static ThanosProcesses start(Path directory, String prefix, String endpoint, Store... stores)
      throws IOException {
    URI base = URI.create("http://" + ServerProcess.freeAddress() + prefix);
    List<String> command =
        new ArrayList<>(
            List.of(
                binary().orElseThrow().toString(),
                "query",
                "--http-address=" + base.getAuthority(),
                "--grpc-address=" + ServerProcess.freeAddress(),
                "--web.route-prefix=" + prefix,
                "--query.replica-label=replica"));
    Stream.of(stores).map(store -> endpoint + "=" + store.address()).forEach(command::add);
    ServerProcess querier =
        ServerProcess.start(
            command,
            directory.resolve("querier.log"),
            URI.create("http://" + base.getAuthority() + "/-/ready"));
    var started = new ThanosProcesses(List.of(stores), querier, base);
    await().atMost(Duration.ofSeconds(60)).until(() -> started.knownStores() == stores.length);
    return started;
  }

  /**
   * A Prometheus with a sidecar.
   *
   * @param replica distinguishes it from others
   */
  static Store store(Path directory, String replica, PrometheusCompatibleServer.ServerSetup scene)
      throws IOException {
    Path own = Files.createDirectories(directory.resolve(replica));
    scene.past().into(own);
    PrometheusProcess prometheus =
        PrometheusProcess.start(
            own,
            scene.configuration(", external_labels: {replica: " + replica + "}"),
            scene.prefix(),
            "--storage.tsdb.retention.time=100y",
            "--web.enable-remote-write-receiver");
    String http = ServerProcess.freeAddress();
    String address = ServerProcess.freeAddress();
    ServerProcess sidecar =
        ServerProcess.start(
            List.of(
                binary().orElseThrow().toString(),
                "sidecar",
                "--prometheus.url=" + prometheus.base(),
                "--tsdb.path=" + own.resolve("data"),
                "--http-address=" + http,
                "--grpc-address=" + address),
            own.resolve("sidecar.log"),
            URI.create("http://" + http + "/-/ready"));
    return new Store(prometheus, sidecar, address);
  }

  /** How many there are that the querier asks. */
  int knownStores() {
    String reported =
        QueryRequests.send(
            HttpRequest.newBuilder(URI.create(base + "/api/v1/stores")).build(), 200);
    return reported.split("\"lastError\":null", -1).length - 1;
  }

  @Override
  public URI base() {
    return base;
  }

  @Override
  public void take(Collection<RemoteWrite.WrittenSample> samples) {
    stores.getFirst().prometheus().take(samples);
  }

  @Override
  public void settle() {}

  @Override
  public void close() {
    querier.close();
    stores.forEach(Store::close);
  }
}
