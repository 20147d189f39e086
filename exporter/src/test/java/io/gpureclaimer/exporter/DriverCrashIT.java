package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.gpureclaimer.nvml.NvmlShim;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent beside a driver library that crashes the process inside a call. */
class DriverCrashIT {
  private static final int ABORTED = 128 + 6;
  private static final String SINCE = "gpu_pod_observed_since_timestamp_seconds";
  private static final String ENERGY = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
  private static final String POD =
      """
      - {device: GPU-00000000-1111-2222-3333-000000000000, namespace: ml, pod: train-0, container: main, uid: u}
      """;

  @TempDir Path folder;
  private final AgentProcess crashing = new AgentProcess();
  private final AgentProcess next = new AgentProcess();

  @AfterEach
  void stop() throws InterruptedException {
    crashing.stop();
    next.stop();
  }

  @Test
  void endsWithAReport_andServesAgainAfterTheNextStart_nothingFromBefore() throws Exception {
    var shim = NvmlShim.withGpus(Files.createDirectory(folder.resolve("driver")), 2);
    var pods = Files.writeString(folder.resolve("pods.yaml"), POD);
    String[] flags = {"--nvml-library=" + shim.library(), "--pods-file=" + pods};
    crashing.start(folder, "", flags);
    String before = crashing.awaitScrape(it -> it.contains(SINCE + "{"));

    shim.inject("nvmlDeviceGetPowerUsage", "1", "segfault");

    assertThat(crashing.awaitExit()).isEqualTo(ABORTED);
    var crash = Instant.now();
    assertThatIOException().isThrownBy(crashing::scrape).isInstanceOf(ConnectException.class);
    assertThat(crashing.log())
        .anyMatch(line -> line.contains("SIGSEGV"))
        .anyMatch(line -> line.matches("# C .*libnvidia-ml\\.so\\.1.*"));
    assertThat(folder.resolve("hs_err.log")).content().contains("nvmlDeviceGetPowerUsage");

    shim.repair();
    next.start(folder, "", flags);
    String after = next.awaitScrape(it -> it.contains(SINCE + "{"));

    assertThat(after.lines().filter(line -> line.startsWith("DCGM_FI_DEV_POWER_USAGE{")))
        .hasSize(2);
    assertThat(value(before, SINCE)).isLessThan(seconds(crash));
    assertThat(value(after, SINCE)).isGreaterThanOrEqualTo(seconds(crash));
    assertThat(value(after, ENERGY)).isEqualTo(value(before, ENERGY));
  }

  private static double seconds(Instant instant) {
    return instant.toEpochMilli() / 1e3;
  }

  /** Of the first series of that name. */
  private static double value(String scrape, String name) {
    return Pattern.compile("^" + name + "\\{.*} (\\S+)$", Pattern.MULTILINE)
        .matcher(scrape)
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .findFirst()
        .orElseThrow();
  }
}
