package io.gpureclaimer.verification.gpupack;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load over a library in C that refuses every call with a wrong argument. */
class LoadProcessTest {
  private static final Path STUB = Path.of("src/test/c/cuda_stub.c").toAbsolutePath();

  @TempDir @Nullable Path folder;

  @Test
  void callsTheDriverRight() throws Exception {
    assumeTrue(hasCompiler(), "no C compiler on PATH");
    Path library = folder().resolve(CudaDriver.LIBRARY);
    assertThat(
            run(
                List.of("cc", "-shared", "-fPIC", "-o", library.toString(), STUB.toString()),
                folder()))
        .isEmpty();

    assertThat(run(load(), folder()))
        .hasSize(2)
        .satisfies(lines -> assertThat(lines.getFirst()).startsWith(LoadProcess.BEGIN))
        .satisfies(lines -> assertThat(lines.getLast()).startsWith(LoadProcess.END));
  }

  private static List<String> load() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        LoadProcess.class.getName(),
        Load.Kind.STEADY.name(),
        "100");
  }

  private static List<String> run(List<String> command, Path libraries) throws Exception {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    try (var output = builder.start().inputReader()) {
      return output.lines().toList();
    }
  }

  private static boolean hasCompiler() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, "cc")));
  }

  private Path folder() {
    return requireNonNull(folder);
  }
}
