package io.gpureclaimer.verification.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every dashboard, drawn with Grafana's own components, where these are in the cache. */
class PicturesIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int NOT_HERE = 2;

  @TempDir @Nullable Path folder;

  @Test
  void areDrawn_everyOne() throws Exception {
    Optional<Path> binary = PrometheusServer.binary();
    assumeTrue(binary.isPresent(), "no prometheus on PATH");
    Path pictures = Files.createDirectory(requireNonNull(folder).resolve("pictures"));

    try (DashboardTestCluster exhibition =
        DashboardTestCluster.open(requireNonNull(folder), binary.get())) {
      URI holders =
          exhibition
              .prometheus()
              .resolve("/api/v1/query?query=gpu_pod_observed_until_timestamp_seconds");
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(
              () -> {
                exhibition.moveOn();
                assertThat(exhibition.get(holders)).contains(DashboardTestCluster.NAMESPACE);
              });
      try (Stream<Path> files = Files.list(REPOSITORY.resolve("grafana/dashboards"))) {
        for (Path dashboard : files.toList()) {
          draw(dashboard, exhibition.prometheus(), pictures);
        }
      }
    }
    assertThat(pictures).isDirectoryContaining("glob:**/fleet.json.png");
  }

  private static void draw(Path dashboard, URI prometheus, Path pictures)
      throws IOException, InterruptedException {
    Path picture = pictures.resolve(dashboard.getFileName() + ".png");
    Process tool =
        new ProcessBuilder(
                List.of(
                    REPOSITORY.resolve("verification/sh/dashboard-picture").toString(),
                    "--offline",
                    dashboard.toString(),
                    prometheus.toString(),
                    picture.toString(),
                    "from=now-5m"))
            .redirectErrorStream(true)
            .start();
    String said = new String(tool.getInputStream().readAllBytes(), UTF_8);
    int code = tool.waitFor();

    assumeTrue(code != NOT_HERE, said.strip());
    assertThat(code).as(said).isZero();
    assertThat(picture).isNotEmptyFile();
  }
}
