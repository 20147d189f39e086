package io.gpureclaimer.verification.demo;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Plays the demo as its users do, with and without a Prometheus between the programs. It judges
 * itself by its exit code: two idle GPUs free for two pending jobs, the Deployment restored when
 * its job ends, no busy pod warned.
 */
class DemoIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FOLDER = Pattern.compile("their logs are in (\\S+)");
  private static final long LIMIT_SECONDS = 240;
  private static final String FIRST_FRAME = "gpu-reclaimer demo  ";
  private static final ReentrantLock STARTING = new ReentrantLock();

  @TempDir @Nullable Path outputs;

  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void goesAsItShould_whenTheReclaimerScrapesTheExportersItself() throws Exception {
    Performance performance = play("--direct");

    assertThat(performance.exitCode()).as(performance.output()).isZero();
    assertThat(performance.output())
        .contains("GPUIdleWarned research/notebook-ben")
        .contains("GPUReclaimed research/notebook-ben")
        .contains("research/train-vision runs on gpu-node-a")
        .contains("batch/embed runs on gpu-node-b")
        .contains("GPURestored Deployment serving/chat: Restored: no pending pod needs GPUs");
    assertThat(performance.log("exporter-gpu-node-a.log"))
        .doesNotContain(" WARN ", " ERROR ", "WARNING:");
    assertThat(performance.log("reclaimer.log")).doesNotContain(" ERROR ", "WARNING:");
  }

  @Execution(ExecutionMode.CONCURRENT)
  @Test
  void goesAsItShould_whenPrometheusScrapesTheExporters() throws Exception {
    assumeTrue(PrometheusServer.binary().isPresent(), "no prometheus on PATH");

    Performance performance = play();

    assertThat(performance.exitCode()).as(performance.output()).isZero();
    assertThat(performance.log("prometheus.log"))
        .contains("Server is ready to receive web requests")
        .doesNotContainIgnoringCase("out-of-order")
        .doesNotContainIgnoringCase("out of order")
        .doesNotContainIgnoringCase("duplicate");
  }

  private Performance play(String... flags) throws IOException, InterruptedException {
    Path output = requireNonNull(outputs).resolve("output.txt");
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dstdout.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                "verification/target/gpu-reclaimer-demo.jar",
                "--plain"));
    command.addAll(List.of(flags));
    Process process = start(command, output);
    boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    process.destroy();
    assertThat(ended).as(Files.readString(output)).isTrue();
    return new Performance(process.exitValue(), Files.readString(output));
  }

  /**
   * Waits until the programs listen: two demos that start together would find the same ports free.
   */
  private static Process start(List<String> command, Path output) throws IOException {
    STARTING.lock();
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(REPOSITORY.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      await("the demo has started")
          .atMost(Duration.ofMinutes(1))
          .until(() -> !process.isAlive() || Files.readString(output).contains(FIRST_FRAME));
      return process;
    } finally {
      STARTING.unlock();
    }
  }

  /**
   * One run of the demo.
   *
   * @param output what it printed
   */
  private record Performance(int exitCode, String output) {

    String log(String name) throws IOException {
      Matcher folder = FOLDER.matcher(output);
      assertThat(folder.find()).as(output).isTrue();
      return Files.readString(Path.of(folder.group(1)).resolve(name));
    }
  }
}
