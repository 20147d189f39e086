package io.gpureclaimer.reclaimer.evidence.source;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The real servers that are asked like a Prometheus, where this machine has them. */
public enum PrometheusCompatibleServer {
  PROMETHEUS,

  /** Its querier, which knows a sidecar, which stands beside a Prometheus. */
  THANOS,

  /** The single node. */
  VICTORIA_METRICS,

  /** All of it in one process, which a Prometheus writes to that scrapes. */
  MIMIR;

  /** One of them, and what it consists of. */
  public interface RunningServer extends AutoCloseable {

    /** Where it is asked. */
    URI base();

    /** Writes to it, or to what stands behind it, remotely. */
    void take(Collection<RemoteWrite.WrittenSample> samples);

    /** Returns when it answers with all that it has been given. */
    void settle();

    /**
     * Has it forget GPUs whose series have ended, if it remembers them longer than a Prometheus.
     */
    default void forget() {}

    @Override
    void close();
  }

  /** What one is started with. */
  public record ServerSetup(String interval, String scrapes, String prefix, Backfill past) {

    /** Nothing is scraped. */
    public static ServerSetup of(Backfill past) {
      return new ServerSetup("1m", "[]", "", past);
    }

    String configuration(String more) {
      return "global: {scrape_interval: "
          + interval
          + ", scrape_timeout: "
          + interval
          + more
          + "}\nscrape_configs: "
          + scrapes
          + "\n";
    }
  }

  /** Those for tests that take long: Prometheus, and the others with {@code -Dservers=all}. */
  public static Stream<PrometheusCompatibleServer> forLongTests() {
    return "all".equals(System.getProperty("servers"))
        ? Stream.of(values())
        : Stream.of(PROMETHEUS);
  }

  /** Whether this machine has it. */
  public boolean isHere() {
    boolean prometheus = PrometheusProcess.binary().isPresent() && Backfill.tool().isPresent();
    return switch (this) {
      case PROMETHEUS -> prometheus;
      case THANOS -> prometheus && ThanosProcesses.binary().isPresent();
      case VICTORIA_METRICS -> VictoriaMetricsProcess.binary().isPresent();
      case MIMIR -> prometheus && MimirProcess.binary().isPresent();
    };
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param directory keeps its configuration, logs, and data
   */
  public RunningServer start(Path directory, ServerSetup scene) throws IOException {
    return switch (this) {
      case PROMETHEUS -> prometheus(directory, scene);
      case THANOS -> ThanosProcesses.start(directory, scene);
      case VICTORIA_METRICS -> VictoriaMetricsProcess.start(directory, scene);
      case MIMIR -> MimirProcess.start(directory, scene);
    };
  }

  private static RunningServer prometheus(Path directory, ServerSetup scene) throws IOException {
    scene.past().into(directory);
    PrometheusProcess process =
        PrometheusProcess.start(
            directory,
            scene.configuration(""),
            scene.prefix(),
            "--storage.tsdb.retention.time=100y",
            "--web.enable-remote-write-receiver");
    return new RunningServer() {
      @Override
      public URI base() {
        return process.base();
      }

      @Override
      public void take(Collection<RemoteWrite.WrittenSample> samples) {
        process.take(samples);
      }

      @Override
      public void settle() {}

      @Override
      public void close() {
        process.close();
      }
    };
  }

  /** The one on the PATH, or the newest that {@code verification/servers/build} has made. */
  static Optional<Path> program(String name, String folder) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator, -1)).map(Path::of), built(folder))
        .map(place -> place.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Stream<Path> built(String name) {
    Path folder = Path.of(System.getProperty("user.home"), ".cache/gpu-reclaimer", name);
    if (!Files.isDirectory(folder)) {
      return Stream.empty();
    }
    try (Stream<Path> versions = Files.list(folder)) {
      return versions
          .sorted(
              Comparator.comparingLong((Path version) -> version.toFile().lastModified())
                  .reversed())
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
