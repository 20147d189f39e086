package io.gpureclaimer.reclaimer.evidence.source;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The real server of this machine, on a port of its own, with nothing stored yet. */
public final class PrometheusProcess implements AutoCloseable {
  private final ServerProcess process;
  private final URI base;

  private PrometheusProcess(ServerProcess process, URI base) {
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
   * @param flags more of its flags
   */
  public static PrometheusProcess start(
      Path directory, String configuration, String prefix, String... flags) throws IOException {
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(config, configuration);
    URI base = URI.create("http://" + ServerProcess.freeAddress() + prefix);
    List<String> command = new ArrayList<>();
    command.add(binary().orElseThrow().toString());
    command.add("--config.file=" + config);
    command.add("--storage.tsdb.path=" + directory.resolve("data"));
    command.add("--web.listen-address=" + base.getAuthority());
    command.add("--web.external-url=" + base);
    command.addAll(List.of(flags));
    return new PrometheusProcess(
        ServerProcess.start(
            command, directory.resolve("prometheus.log"), URI.create(base + "/-/ready")),
        base);
  }

  public URI base() {
    return base;
  }

  /** Writes to it remotely, if it was started with that. */
  void take(Collection<RemoteWrite.WrittenSample> samples) {
    RemoteWrite.send(samples, URI.create(base + "/api/v1/write"), 204);
  }

  long pid() {
    return process.process().pid();
  }

  Instant started() {
    return process.process().info().startInstant().orElseThrow();
  }

  /** The CPU time that it has used. */
  Duration cpu() {
    return process.process().info().totalCpuDuration().orElseThrow();
  }

  @Override
  public void close() {
    process.close();
  }
}
