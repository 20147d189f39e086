package io.gpureclaimer.nvml;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The real {@code nvml.h} and {@code libnvidia-ml.so.1}, somewhere below the folder that the
 * environment names; {@code ./test} fetches them. Skips the test without them.
 */
final class NvmlPackages {
  static final String VARIABLE = "GPU_RECLAIMER_NVML_DIR";

  static Path header() {
    return find("nvml.h");
  }

  static Path library() {
    return find("libnvidia-ml.so.1");
  }

  private static Path find(String name) {
    String folder = System.getenv(VARIABLE);
    assumeTrue(
        folder != null && !folder.isBlank(),
        VARIABLE
            + " names no folder with "
            + name
            + ", so this test is skipped; ./test fetches one");
    try (Stream<Path> files = Files.walk(Path.of(Objects.requireNonNull(folder)))) {
      return files
          .filter(file -> file.endsWith(name))
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException(VARIABLE + " must hold " + name + ", was " + folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private NvmlPackages() {}
}
