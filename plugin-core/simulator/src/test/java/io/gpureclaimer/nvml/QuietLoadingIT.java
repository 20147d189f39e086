package io.gpureclaimer.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/**
 * One flag is all that the binding asks of a JVM; a line on stderr would say that it needs more.
 */
class QuietLoadingIT {

  @Test
  void theJvmHasNothingToSay() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LoadingProgram.class.getName())
            .redirectErrorStream(true)
            .start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("8 GPUs\n");
    assertThat(process.waitFor()).isZero();
  }

  static final class LoadingProgram {
    public static void main(String[] args) {
      SimulatedDriver driver =
          new SimulatedDriver(
              Profile.named("h100x8").orElseThrow(),
              "node-a",
              () -> Script.IDLE,
              InstantSource.system());
      try (Nvml nvml = Nvml.open(driver)) {
        NvmlContract.value(nvml.memory(NvmlContract.value(nvml.handle(0))));
        System.out.println(nvml.deviceCount() + " GPUs");
      }
    }

    private LoadingProgram() {}
  }
}
