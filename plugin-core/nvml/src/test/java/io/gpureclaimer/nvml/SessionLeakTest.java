package io.gpureclaimer.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The agent opens the session again and again while a driver is away; that must cost nothing. */
@Tag("slow")
@Isolated("counts the open files of the process")
class SessionLeakTest {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");
  private static final Path MAPPINGS = Path.of("/proc/self/maps");
  private static final int CYCLES = 300;

  @TempDir private Path folder;

  @Test
  void loadingAndOpeningLeavesNothingOpen() throws IOException {
    assumeTrue(Files.isDirectory(OPEN_FILES), "only Linux has " + OPEN_FILES);
    NvmlStub stub = NvmlStub.build(folder);
    stub.control().stub_reset(8);
    cycle(stub);
    long filesBefore = openFiles();
    long librariesBefore = mappings(stub);

    for (int i = 0; i < CYCLES; i++) {
      cycle(stub);
    }

    assertThat(openFiles()).isLessThanOrEqualTo(filesBefore + 2);
    assertThat(mappings(stub)).isEqualTo(librariesBefore);
    assertThat(stub.control().stub_calls("nvmlShutdown"))
        .isEqualTo(stub.control().stub_calls("nvmlInit_v2"));
  }

  private static void cycle(NvmlStub stub) {
    try (Nvml nvml = Nvml.open(stub.lib())) {
      for (int index = 0; index < nvml.deviceCount(); index++) {
        assertThat(nvml.memory(NvmlContract.value(nvml.handle(index)))).isNotNull();
      }
    }
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(OPEN_FILES)) {
      return files.count();
    }
  }

  private static long mappings(NvmlStub stub) throws IOException {
    try (Stream<String> lines = Files.lines(MAPPINGS)) {
      return lines.filter(line -> line.endsWith(stub.library().toString())).count();
    }
  }
}
