package io.gpureclaimer.reclaimer.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.kubernetes.FakeApiServer;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the program ends: the executable jar in a process of its own. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReclaimerShutdownIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @TempDir Path folder;

  @Test
  void isStatusZero_onTheSignalToStop() throws Exception {
    try (var api = new FakeApiServer()) {
      Path kubeconfig = new CommandEnvironment(api).kubeconfig(folder);
      Process process =
          new ProcessBuilder(
                  JAVA.toString(),
                  "@src/main/jvm/jvm.options",
                  "-jar",
                  "target/gpu-reclaimer.jar",
                  "run",
                  "--address=127.0.0.1:0",
                  "--kubeconfig=" + kubeconfig,
                  "--agents=http://127.0.0.1:1/metrics")
              .start();
      boolean listened = false;
      try (BufferedReader err = process.errorReader(UTF_8)) {
        String line = err.readLine();
        while (line != null) {
          if (line.contains(" listens on ")) {
            listened = true;
            process.toHandle().destroy();
          }
          line = err.readLine();
        }
      }

      assertThat(listened).isTrue();
      assertThat(process.waitFor()).isZero();
    }
  }
}
