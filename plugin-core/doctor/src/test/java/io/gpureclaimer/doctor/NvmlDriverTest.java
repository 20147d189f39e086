package io.gpureclaimer.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.doctor.DriverAnswer.Reported;
import io.gpureclaimer.doctor.DriverAnswer.ReportedGpu;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.NvmlStub;
import io.gpureclaimer.nvml.binding.LibNvml;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmlDriverTest {
  private static Reported ask(LibNvml library) {
    return (Reported) NvmlDriver.ask(() -> library, Path.of("/"));
  }

  @Test
  void asksEachGpu() {
    Profile profile = Profile.named("h100x8").orElseThrow();
    var driver = new SimulatedDriver(profile, "node-a", Script::of, () -> Instant.EPOCH);
    Reported reported = ask(driver);

    assertThat(reported.driverVersion()).isEqualTo("550.54.15");
    assertThat(reported.libraryVersion()).isEqualTo("550.54.15");
    assertThat(reported.gpus()).hasSize(8);
    assertThat(reported.gpus().getFirst().pciBusId()).matches("0000:[0-9a-f]{2}:00\\.0");
  }

  @Test
  void reportsAGpuThatIsFoundAndAnswersNothing(@TempDir Path folder) {
    NvmlStub stub = NvmlStub.build(folder);
    stub.control().stub_reset(2);
    stub.control().stub_fail("nvmlDeviceGetPciInfo_v3", 1, 16);
    stub.control().stub_fail("nvmlDeviceGetComputeMode", 1, 16);
    assertThat(ask(stub.lib()).gpus())
        .extracting(ReportedGpu::trouble)
        .containsExactly(null, "its PCI bus id cannot be read: GPU requires a reset (code 16)");
  }

  @Test
  void findsTheLibraryBelowTheNodesRoot(@TempDir Path root) throws IOException {
    NvmlStub.build(Files.createDirectories(root.resolve("usr/lib64")));

    assertThat(new NvmlDriver(Optional.empty(), root).ask()).isInstanceOf(Reported.class);
  }

  @Test
  void reportsThatThereIsNoLibrary() {
    var driver = new NvmlDriver(Optional.of(Path.of("/nonexistent/lib.so")), Path.of("/"));

    assertThat(driver.ask())
        .isInstanceOfSatisfying(
            DriverAnswer.Silent.class,
            silent -> assertThat(silent.reason()).isEqualTo(NvmlReturn.LIBRARY_NOT_FOUND));
  }
}
