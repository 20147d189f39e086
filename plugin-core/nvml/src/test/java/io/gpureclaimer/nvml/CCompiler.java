package io.gpureclaimer.nvml;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Compiles the C sources of these tests; skips the test on a machine without {@code cc}. */
public final class CCompiler {
  private static final List<String> SOURCES =
      List.of(
          "nvml_structs.h",
          "nvml_stub.c",
          "nvml_stub_sensors.h",
          "nvml_stub_mig.h",
          "nvml_stub_events.h",
          "nvml_stub_lists.h",
          "nvml_shim.c",
          "nvml_foreign.c",
          "nvml_floor.c",
          "struct_layouts.c");

  /** Each command runs once per JVM; a test gets a copy, which has its own state when loaded. */
  private static final Map<List<String>, byte[]> COMPILED = new ConcurrentHashMap<>();

  private final Path folder;

  /** Works in an empty folder. */
  public CCompiler(Path folder) {
    assumeTrue(isPresent(), "no C compiler: `cc` is not on the PATH, so this test is skipped");
    this.folder = folder;
    for (String source : SOURCES) {
      try (InputStream in = CCompiler.class.getResourceAsStream("/c/" + source)) {
        Files.copy(Objects.requireNonNull(in, source), folder.resolve(source));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A shared library of that name. */
  public Path library(String name, String source, List<String> flags) {
    List<String> all = new ArrayList<>(List.of("-shared", "-fPIC", "-pthread", "-Wl,-Bsymbolic"));
    all.addAll(flags);
    return compile(name, source, all);
  }

  /** A program of that name. */
  public Path program(String name, String source, List<String> flags) {
    return compile(name, source, flags);
  }

  /** What a program prints. */
  public String output(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new IllegalStateException(command + " ended with " + status + ": " + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Path compile(String name, String source, List<String> flags) {
    List<String> command = new ArrayList<>(List.of("cc", "-O1", "-Wall"));
    command.addAll(flags);
    command.addAll(List.of(source, "-o", name));
    byte[] compiled = COMPILED.computeIfAbsent(List.copyOf(command), this::compile);
    try {
      Path result = Files.write(folder.resolve(name), compiled);
      Files.setPosixFilePermissions(result, PosixFilePermissions.fromString("rwxr-xr-x"));
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] compile(List<String> command) {
    output(command);
    try {
      return Files.readAllBytes(folder.resolve(command.getLast()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPresent() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, "cc")));
  }
}
