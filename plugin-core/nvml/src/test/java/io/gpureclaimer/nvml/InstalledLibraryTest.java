package io.gpureclaimer.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class InstalledLibraryTest {
  @TempDir private Path folder;
  private Path maps;
  private Path installed;

  @BeforeEach
  void prepare() throws IOException {
    maps = folder.resolve("maps");
    installed = Files.createDirectory(folder.resolve("lib"));
  }

  @Test
  void isTheNewDrivers_onceThatIsInstalled() throws IOException {
    link(stub("535", 1));
    var library =
        InstalledLibrary.of(Optional.of(installed.resolve("libnvidia-ml.so.1")), Optional.empty());
    assertThat(devices(library.get())).isEqualTo(1);

    link(stub("550", 2));
    Files.delete(installed.resolve("libnvidia-ml.so.535"));

    assertThat(devices(library.get())).isEqualTo(2);
  }

  @Test
  void isLookedForWhereTheSystemsLoaderFoundIt() throws IOException {
    link(stub("535", 1));
    LibNvml first = NvmlLibrary.load(Optional.of(installed));
    Files.writeString(
        maps,
        "7f00-7f01 r-xp 00003000 fe:00 1137 /usr/lib/libc.so.6\n7f02-7f03 r-xp 00003000 fe:00 1138"
            + "   "
            + installed
            + "/libnvidia-ml.so.535 (deleted)\n");
    var library =
        new InstalledLibrary(() -> first, place -> NvmlLibrary.load(Optional.of(place)), maps);
    assertThat(library.get()).isSameAs(first);

    link(stub("550", 2));
    assertThat(devices(library.get())).isEqualTo(2);

    Files.delete(installed.resolve("libnvidia-ml.so.1"));
    assertThatThrownBy(library::get)
        .isInstanceOf(NvmlException.class)
        .hasMessageEndingWith(installed + "/libnvidia-ml.so.1 (not found)");
  }

  @Test
  void isAskedForAsForTheFirstTime_whereTheKernelDoesNotReport() throws IOException {
    link(stub("535", 1));
    LibNvml first = NvmlLibrary.load(Optional.of(installed));
    var library = new InstalledLibrary(() -> first, _ -> fail(), folder.resolve("nowhere"));

    assertThat(library.get()).isSameAs(first);
    assertThat(library.get()).isSameAs(first);
  }

  private static LibNvml fail() {
    throw new AssertionError("no folder is known");
  }

  /** A driver of that version, with so many GPUs. */
  private Path stub(String version, int gpus) throws IOException {
    NvmlStub stub = NvmlStub.build(Files.createDirectory(folder.resolve(version)));
    stub.control().stub_reset(gpus);
    return Files.move(
        folder.resolve(version).resolve("libnvidia-ml.so.1"),
        installed.resolve("libnvidia-ml.so." + version));
  }

  /** As an installer does. */
  private void link(Path library) throws IOException {
    Path link = installed.resolve("libnvidia-ml.so.1");
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, library.getFileName());
  }

  private static int devices(LibNvml library) {
    try (Nvml nvml = Nvml.open(library)) {
      return nvml.deviceCount();
    }
  }
}
