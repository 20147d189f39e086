package io.gpureclaimer.nvml;

import com.kenai.jffi.Library;
import io.gpureclaimer.nvml.binding.LibNvml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import jnr.ffi.LibraryLoader;
import jnr.ffi.LibraryOption;

/** Finds and loads the driver's library. */
public final class NvmlLibrary {
  static final String SONAME = "libnvidia-ml.so.1";
  private static final List<String> NAMES = List.of(SONAME, "libnvidia-ml.so");

  /** Where distributions, WSL, container toolkits and the GPU operator keep it. */
  private static final List<String> PLACES =
      List.of(
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/lib64",
          "/usr/lib/wsl/lib",
          "/usr/local/nvidia/lib64",
          "/usr/local/nvidia/lib",
          "/run/nvidia/driver/usr/lib/x86_64-linux-gnu",
          "/run/nvidia/driver/usr/lib/aarch64-linux-gnu",
          "/run/nvidia/driver/usr/lib64");

  /** Where a driver keeps it below the root that it is installed in. */
  private static final List<String> IN_ROOT =
      List.of(
          "usr/lib64",
          "usr/lib/x86_64-linux-gnu",
          "usr/lib/aarch64-linux-gnu",
          "lib64",
          "lib/x86_64-linux-gnu",
          "lib/aarch64-linux-gnu");

  private static final String MISSING = "No such file or directory";

  /**
   * jnr-ffi's compiler of call stubs for x86-64: passes a sixth argument wrong, never frees a stub,
   * and needs memory that is both writable and executable. Calls are as fast without it.
   */
  private static final String STUB_COMPILER = "jnr.ffi.x86asm.enabled";

  static {
    System.setProperty(STUB_COMPILER, "false");
  }

  /** The same where no root of a driver is mounted. */
  public static LibNvml load(Optional<Path> explicit) {
    return load(explicit, Optional.empty());
  }

  /**
   * Loads the library from the given place; or else by its usual names through the system's loader,
   * then from the usual places, and then from below the driver's root.
   *
   * <p>One library serves any number of sessions. The JVM needs {@code
   * --enable-native-access=ALL-UNNAMED}, or it prints a warning. Where the temporary folder is
   * read-only or not executable, jffi's own native part must be found elsewhere: {@code
   * -Djffi.boot.library.path}.
   *
   * @param explicit the library, or the folder that holds {@code libnvidia-ml.so.1}; no other place
   *     is tried then
   * @param root where the root of the driver's installation is mounted
   * @throws NvmlException in one line that names every path tried, and what was wrong there
   */
  public static LibNvml load(Optional<Path> explicit, Optional<Path> root) {
    return explicit
        .map(path -> firstOf(List.of(real(libraryAt(path.toAbsolutePath())))))
        .orElseGet(() -> firstOf(usual(root)));
  }

  private static LibNvml firstOf(List<String> candidates) {
    List<String> failures = new ArrayList<>();
    for (String candidate : candidates) {
      try {
        return LibraryLoader.create(LibNvml.class)
            .option(LibraryOption.IgnoreError, true)
            .failImmediately()
            .load(candidate);
      } catch (UnsatisfiedLinkError _) {
        failures.add(candidate + reason(candidate));
      }
    }
    throw NvmlException.libraryNotFound(
        "the driver's library could not be loaded; tried " + String.join(", ", failures));
  }

  /**
   * What the system's loader says about this very name: jnr-ffi goes on to try others, and reports
   * about those.
   */
  private static String reason(String candidate) {
    Library again = Library.openLibrary(candidate, Library.LAZY);
    String said = again == null ? Library.getLastError() : "the binding refused it";
    String first = said.lines().findFirst().orElse("no reason given");
    return first.contains(MISSING)
        ? " (not found)"
        : " (" + first.replace(candidate + ": ", "") + ")";
  }

  /**
   * The file behind all links, whose name has the driver's version in it: under the name of a link
   * the system's loader gives what was behind it the first time.
   */
  private static String real(Path library) {
    try {
      return library.toRealPath().toString();
    } catch (IOException _) {
      return library.toString();
    }
  }

  private static Path libraryAt(Path path) {
    return Files.isDirectory(path) ? path.resolve(SONAME) : path;
  }

  private static List<String> usual(Optional<Path> root) {
    Stream<String> below =
        root.filter(at -> Files.isDirectory(at) && at.getNameCount() > 0).stream()
            .flatMap(at -> IN_ROOT.stream().map(folder -> at.resolve(folder).toString()));
    return Stream.concat(
            NAMES.stream(),
            Stream.concat(PLACES.stream(), below).map(place -> place + '/' + SONAME))
        .toList();
  }

  private NvmlLibrary() {}
}
