package io.gpureclaimer.nvml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The exact effect of a rule. */
@Timeout(60)
class NvmlShimTest {
  private static final String POWER = "nvmlDeviceGetPowerUsage";
  private static final int SIGABRT = 128 + 6;

  @TempDir private Path folder;
  private NvmlShim shim;

  @BeforeEach
  void build() {
    shim = NvmlShim.build(folder);
    shim.control().stub_reset(2);
  }

  @Test
  void failsOneFunctionOfOneGpu() {
    try (Nvml nvml = Nvml.open(shim.lib())) {
      shim.inject(POWER, "1", "999");

      assertThat(power(nvml, 0)).isInstanceOf(Value.class);
      assertThat(power(nvml, 1))
          .isInstanceOfSatisfying(Failed.class, failed -> assertThat(failed.code()).isEqualTo(999));
      assertThat(nvml.uuid(handle(nvml, 1))).isInstanceOf(Value.class);

      shim.repair();
      assertThat(power(nvml, 1)).isInstanceOf(Value.class);
    }
  }

  @Test
  void hangsUntilTheRuleIsGone() throws Exception {
    try (Nvml nvml = Nvml.open(shim.lib())) {
      shim.inject(POWER, "0", "hang");
      var call = CompletableFuture.supplyAsync(() -> power(nvml, 0));

      assertThat(power(nvml, 1)).isInstanceOf(Value.class);
      assertThat(call).isNotDone();
      shim.repair();

      await().until(call::isDone);
      assertThat(call.get()).isInstanceOf(Value.class);
    }
  }

  @Test
  void crashesTheProcess() throws IOException, InterruptedException {
    shim.inject("nvmlDeviceGetCount_v2", "*", "crash");

    var process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-CreateCoredumpOnCrash",
                "-cp",
                System.getProperty("java.class.path"),
                GpuCounter.class.getName(),
                shim.library().toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isEqualTo(SIGABRT);
  }

  /** Counts the GPUs of a library, as a program of its own. */
  static final class GpuCounter {
    private GpuCounter() {}

    public static void main(String[] args) {
      try (Nvml nvml = Nvml.open(NvmlLibrary.load(Optional.of(Path.of(args[0]))))) {
        nvml.deviceCount();
      }
    }
  }

  private static NvmlResult<Long> power(Nvml nvml, int gpu) {
    return nvml.powerMilliwatts(handle(nvml, gpu));
  }

  private static GpuHandle handle(Nvml nvml, int gpu) {
    return ((Value<GpuHandle>) nvml.handle(gpu)).value();
  }
}
