package io.gpureclaimer.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmlLibraryTest {
  private static final String NOT_LOADED = "the driver's library could not be loaded; tried ";

  @TempDir private Path folder;

  @Test
  void findsTheLibraryInAFolder() {
    NvmlStub stub = NvmlStub.build(folder);
    stub.control().stub_reset(3);

    try (Nvml nvml = Nvml.open(NvmlLibrary.load(Optional.of(folder)))) {
      assertThat(nvml.deviceCount()).isEqualTo(3);
    }
  }

  @Test
  void findsTheLibraryBelowTheDriversRoot_whenItIsNowhereElse() throws IOException {
    assumeFalse(driverIsInstalled(), "this machine has the driver's library");
    Path libraries = Files.createDirectories(folder.resolve("usr/lib64"));
    NvmlStub stub = NvmlStub.build(libraries);
    stub.control().stub_reset(2);

    try (Nvml nvml = Nvml.open(NvmlLibrary.load(Optional.empty(), Optional.of(folder)))) {
      assertThat(nvml.deviceCount()).isEqualTo(2);
    }
  }

  @Test
  void saysSo_whenThereIsNoSuchFile() {
    Path missing = folder.resolve("libnvidia-ml.so.1");

    assertThatThrownBy(() -> NvmlLibrary.load(Optional.of(missing)))
        .isInstanceOf(NvmlException.class)
        .hasMessage(NOT_LOADED + missing + " (not found)");
  }

  @Test
  void saysWhereItLooked_whenTheFolderDoesNotHoldIt() {
    assertThatThrownBy(() -> NvmlLibrary.load(Optional.of(folder)))
        .isInstanceOf(NvmlException.class)
        .hasMessage(NOT_LOADED + folder.resolve("libnvidia-ml.so.1") + " (not found)");
  }

  @Test
  void saysSo_whenTheFileIsNoLibrary() throws IOException {
    Path text = Files.writeString(folder.resolve("nvml.txt"), "hello, I am no library");

    assertThatThrownBy(() -> NvmlLibrary.load(Optional.of(text)))
        .isInstanceOf(NvmlException.class)
        .hasMessageMatching(
            "\\Q" + NOT_LOADED + text + "\\E \\((file too short|invalid ELF header)\\)");
  }

  @Test
  void namesEveryPlaceInOneLine_whenThereIsNoDriver() {
    assumeFalse(driverIsInstalled(), "this machine has the driver's library");

    assertThatThrownBy(() -> NvmlLibrary.load(Optional.empty(), Optional.of(Path.of("/"))))
        .isInstanceOf(NvmlException.class)
        .hasMessage(
            NOT_LOADED
                + "libnvidia-ml.so.1 (not found), libnvidia-ml.so (not found),"
                + " /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1 (not found),"
                + " /usr/lib/aarch64-linux-gnu/libnvidia-ml.so.1 (not found),"
                + " /usr/lib64/libnvidia-ml.so.1 (not found),"
                + " /usr/lib/wsl/lib/libnvidia-ml.so.1 (not found),"
                + " /usr/local/nvidia/lib64/libnvidia-ml.so.1 (not found),"
                + " /usr/local/nvidia/lib/libnvidia-ml.so.1 (not found),"
                + " /run/nvidia/driver/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1 (not found),"
                + " /run/nvidia/driver/usr/lib/aarch64-linux-gnu/libnvidia-ml.so.1 (not found),"
                + " /run/nvidia/driver/usr/lib64/libnvidia-ml.so.1 (not found)");
  }

  /** The real library, on a machine that has no driver: it loads, and says what is missing. */
  @Test
  void theRealLibrarySaysThatTheDriverIsNotLoaded() {
    assumeFalse(Files.exists(Path.of("/proc/driver/nvidia")), "this machine has the driver");
    LibNvml real = NvmlLibrary.load(Optional.of(NvmlPackages.library()));

    assertThatThrownBy(() -> Nvml.open(real))
        .isInstanceOf(NvmlException.class)
        .hasMessage("nvmlInit_v2: driver not loaded (code 9)");
  }

  private static boolean driverIsInstalled() {
    try {
      NvmlLibrary.load(Optional.empty());
      return true;
    } catch (NvmlException _) {
      return false;
    }
  }
}
