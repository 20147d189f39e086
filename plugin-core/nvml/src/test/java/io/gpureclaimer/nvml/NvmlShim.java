package io.gpureclaimer.nvml;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.nvml.binding.LibNvml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The stub library behind {@code nvml_shim.c}, which fails, hangs or crashes single calls. */
public final class NvmlShim {
  private final NvmlStub stub;
  private final Path library;
  private final Path faults;
  private final List<String> rules = new ArrayList<>();

  private NvmlShim(NvmlStub stub, Path library) {
    this.stub = stub;
    this.library = library;
    this.faults = library.resolveSibling("nvml_faults");
  }

  /** Builds both libraries in an empty folder; the stub has no GPU until the test sets one. */
  public static NvmlShim build(Path folder) {
    return build(folder, List.of());
  }

  /** The same for another process, which finds so many GPUs. */
  public static NvmlShim withGpus(Path folder, int gpus) {
    return build(folder, List.of("-DSTUB_GPUS=" + gpus));
  }

  private static NvmlShim build(Path folder, List<String> flags) {
    try {
      var stub = NvmlStub.compile(Files.createDirectory(folder.resolve("stub")), flags);
      Path own = Files.createDirectory(folder.resolve("shim"));
      Files.writeString(own.resolve("shim_functions.h"), functions());
      Files.createSymbolicLink(own.resolve("nvml_target.so"), stub.library());
      return new NvmlShim(
          stub, new CCompiler(own).library("libnvidia-ml.so.1", "nvml_shim.c", List.of("-ldl")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every function that the binding calls. */
  private static String functions() {
    return Arrays.stream(LibNvml.class.getMethods())
        .map(Method::getName)
        .distinct()
        .sorted()
        .map(name -> "SHIM(" + name + ")\n")
        .collect(Collectors.joining());
  }

  /** The shim, loaded as the driver's library would be. */
  public LibNvml lib() {
    return NvmlLibrary.load(Optional.of(library));
  }

  public Path library() {
    return library;
  }

  public NvmlStub.StubControl control() {
    return stub.control();
  }

  /**
   * Adds a rule.
   *
   * @param function a name, or {@code *}
   * @param gpu an index, {@code *}, or index and second argument: {@code 0/1}
   * @param action a return code, {@code hang}, {@code crash} or {@code segfault}
   */
  public void inject(String function, String gpu, String action) {
    rules.add(function + " " + gpu + " " + action + "\n");
    write();
  }

  /** Removes the rules about that function. */
  public void withdraw(String function) {
    rules.removeIf(rule -> rule.startsWith(function + " "));
    write();
  }

  /** Removes all rules; a call that hangs goes on. */
  public void repair() {
    rules.clear();
    write();
  }

  /** In one step: the shim reads the file at each call. */
  private void write() {
    try {
      Path written = Files.writeString(faults.resolveSibling("new"), String.join("", rules), UTF_8);
      Files.move(written, faults, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
