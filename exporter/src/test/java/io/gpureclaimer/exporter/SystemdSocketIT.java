package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.nvml.CCompiler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The executable jar, started by a small program that passes it a listening socket. */
class SystemdSocketIT {
  private static final List<String> AGENT =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "@src/main/jvm/jvm.options",
          "-jar",
          "target/gpu-exporter.jar",
          "--simulate=t4x4",
          "--web-systemd-socket");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"4, 127.0.0.1", "6, [::1]"})
  void servesOnTheSocketThatIsPassed(String family, String host) throws Exception {
    var process = start(family);
    try (var out = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        var err = new BufferedReader(process.errorReader(StandardCharsets.UTF_8))) {
      String port = out.readLine();
      // Asked before anybody accepts: the request waits in the socket's queue.
      var answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/health"))
                      .timeout(Duration.ofSeconds(30))
                      .build(),
                  BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(err.lines().filter(line -> line.contains(" listens on ")).findFirst())
          .hasValueSatisfying(
              line -> assertThat(line).endsWith(" listens on " + host + ":" + port));
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void saysInOneLine_whenThereIsNone() throws Exception {
    var process = new ProcessBuilder(AGENT).start();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(err)
        .isEqualTo(
            "gpu-exporter: web.systemd-socket needs one listening TCP socket from systemd, but"
                + " LISTEN_FDS is not set\n");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  private Process start(String family) throws IOException {
    var compiler = new CCompiler(folder);
    try (InputStream in = SystemdSocketIT.class.getResourceAsStream("/c/listen_and_exec.c")) {
      Files.copy(Objects.requireNonNull(in), folder.resolve("listen_and_exec.c"));
    }
    var command = new ArrayList<String>();
    command.add(compiler.program("listen_and_exec", "listen_and_exec.c", List.of()).toString());
    command.add(family);
    command.addAll(AGENT);
    return new ProcessBuilder(command).start();
  }
}
