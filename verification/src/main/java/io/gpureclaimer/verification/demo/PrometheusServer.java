package io.gpureclaimer.verification.demo;

import io.gpureclaimer.verification.demo.Program.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real Prometheus that scrapes the demo's programs every second, with our alerts and prices. */
final class PrometheusServer implements AutoCloseable {
  /** Prices of a GPU-hour, for the dashboards. */
  private static final String PRICES =
      """
      groups:
        - name: gpu-prices
          rules:
            - record: gpu_reclaimer:gpu_hour:price
              expr: vector(2.5)
              labels: {modelName: NVIDIA H100 80GB HBM3}
            - record: gpu_reclaimer:gpu_hour:price
              expr: vector(0.35)
              labels: {modelName: Tesla T4}
      """;

  private final Program program;
  private final URI address;

  private PrometheusServer(Program program, URI address) {
    this.program = program;
    this.address = address;
  }

  /** The binary on PATH, if there is one. */
  static Optional<Path> binary() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isBlank())
        .map(folder -> Path.of(folder, "prometheus"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts it on a free port with its data in the folder.
   *
   * @param scraped addresses by job
   */
  static PrometheusServer start(
      Path binary, Map<String, List<URI>> scraped, Path folder, HttpClient http)
      throws IOException, InterruptedException {
    int port = FreePorts.freeNear(9090);
    Path configuration = folder.resolve("prometheus.yml");
    Path prices = Files.writeString(folder.resolve("prices.yml"), PRICES);
    Files.writeString(configuration, configuration(scraped, prices));
    var address = URI.create("http://127.0.0.1:" + port);
    var program =
        Program.start(
            "prometheus",
            List.of(
                binary.toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("prometheus"),
                "--web.listen-address=127.0.0.1:" + port),
            Map.of(),
            folder);
    try {
      program.awaitReady(address.resolve("/-/ready"), http);
    } catch (IllegalStateException e) {
      program.close();
      throw e;
    }
    return new PrometheusServer(program, address);
  }

  private static String configuration(Map<String, List<URI>> scraped, Path prices) {
    return """
    global:
      scrape_interval: 1s
      scrape_timeout: 1s
      evaluation_interval: 5s
    rule_files: ["%RULES%", "%PRICES%"]
    scrape_configs:
    """
            .replace(
                "%RULES%", Path.of("deploy", "rules", "alerts.yaml").toAbsolutePath().toString())
            .replace("%PRICES%", prices.toAbsolutePath().toString())
        + scraped.entrySet().stream()
            .map(job -> job(job.getKey(), job.getValue()))
            .collect(Collectors.joining());
  }

  private static String job(String name, List<URI> addresses) {
    String targets =
        addresses.stream()
            .map(uri -> '"' + uri.getAuthority() + '"')
            .collect(Collectors.joining(", "));
    return """
      - job_name: %NAME%
        honor_labels: true
        static_configs:
          - targets: [%TARGETS%]
    """
        .replace("%NAME%", name)
        .replace("%TARGETS%", targets);
  }

  URI address() {
    return address;
  }

  @Override
  public void close() {
    program.close();
  }
}
