package io.gpureclaimer.core.nvml;

import io.gpureclaimer.core.nvml.binding.LibNvml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jnr.ffi.LibraryLoader;
import jnr.ffi.LibraryOption;

/** Finds and loads the driver's library. */
public final class NvmlLibrary {
  private static final String SONAME = "libnvidia-ml.so.1";
  private static final List<String> NAMES = List.of(SONAME, "libnvidia-ml.so");
  private static final List<Path> PLACES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu"),
          Path.of("/usr/lib/aarch64-linux-gnu"),
          Path.of("/usr/lib64"),
          Path.of("/usr/lib/wsl/lib"),
          Path.of("/usr/local/nvidia/lib64"),
          Path.of("/usr/local/nvidia/lib"),
          Path.of("/run/nvidia/driver/usr/lib/x86_64-linux-gnu"),
          Path.of("/run/nvidia/driver/usr/lib/aarch64-linux-gnu"),
          Path.of("/run/nvidia/driver/usr/lib64"));

  /**
   * Loads the library from the given place, or else by its usual names through the system's loader,
   * or else from the usual places.
   *
   * @param explicit the library, or the folder that holds {@code libnvidia-ml.so.1}; no other place
   *     is tried then
   * @throws NvmlException in one line that names every place looked at, and what was wrong there
   */
  public static LibNvml load(Optional<Path> explicit) {
    List<String> candidates =
        explicit.map(path -> List.of(libraryAt(path).toString())).orElseGet(NvmlLibrary::usual);
    List<String> failures = new ArrayList<>();
    for (String candidate : candidates) {
      try {
        return LibraryLoader.create(LibNvml.class)
            .option(LibraryOption.IgnoreError, true)
            .failImmediately()
            .load(candidate);
      } catch (UnsatisfiedLinkError e) {
        failures.add(candidate + " (" + e.getMessage() + ")");
      }
    }
    throw NvmlException.libraryNotFound(
        "the driver's library could not be loaded; looked at: " + String.join(", ", failures));
  }

  private static Path libraryAt(Path path) {
    return Files.isDirectory(path) ? path.resolve(SONAME) : path;
  }

  private static List<String> usual() {
    List<String> candidates = new ArrayList<>(NAMES);
    PLACES.forEach(place -> candidates.add(place.resolve(SONAME).toString()));
    return candidates;
  }

  private NvmlLibrary() {}
}
