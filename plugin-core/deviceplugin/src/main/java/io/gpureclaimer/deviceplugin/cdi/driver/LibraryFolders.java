package io.gpureclaimer.deviceplugin.cdi.driver;

import io.gpureclaimer.common.files.RootedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folders that have a driver's libraries: those where the loader or a distribution puts them,
 * if {@code libcuda.so.1} or {@code libnvidia-ml.so.1} in them is that driver's.
 */
final class LibraryFolders {
  private static final String CACHE = "/etc/ld.so.cache";

  private static final List<String> USUAL =
      List.of(
          "/usr/lib64",
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/lib/x86_64-linux-gnu/nvidia/current",
          "/usr/lib/aarch64-linux-gnu/nvidia/current",
          "/lib64",
          "/lib/x86_64-linux-gnu",
          "/lib/aarch64-linux-gnu",
          "/lib/x86_64-linux-gnu/nvidia/current",
          "/lib/aarch64-linux-gnu/nvidia/current",
          "/usr/lib",
          "/lib");

  private static final List<String> HALLMARKS = List.of("libcuda.so.", "libnvidia-ml.so.");
  private static final byte[] ELF_OF_32_BITS = {0x7f, 'E', 'L', 'F', 1};

  private final RootedFiles files;

  LibraryFolders(RootedFiles files) {
    this.files = files;
  }

  /** The folders of that version's libraries, links followed, the most trusted first. */
  List<String> of(String version) {
    Set<String> folders = new LinkedHashSet<>();
    for (String folder : candidates()) {
      for (String library : libraries(folder, version)) {
        if (library.endsWith(".so." + version) && !isOf32Bits(library)) {
          folders.add(folder);
          folders.add(library.substring(0, library.lastIndexOf('/')));
        }
      }
    }
    return List.copyOf(folders);
  }

  /** Which driver's libraries there are, of whatever version. */
  List<String> found() {
    Set<String> found = new LinkedHashSet<>();
    candidates().forEach(folder -> found.addAll(libraries(folder, "1")));
    return List.copyOf(found);
  }

  private List<String> libraries(String folder, String version) {
    return HALLMARKS.stream()
        .flatMap(name -> Stream.of(name + version, name + "1"))
        .flatMap(name -> files.file(folder + "/" + name).stream())
        .distinct()
        .toList();
  }

  private Set<String> candidates() {
    List<String> folders = new ArrayList<>();
    files
        .file(CACHE)
        .ifPresent(
            cache ->
                LoaderCache.paths(
                        files.here(cache), name -> HALLMARKS.stream().anyMatch(name::startsWith))
                    .forEach(path -> folders.add(path.substring(0, path.lastIndexOf('/')))));
    folders.addAll(USUAL);
    Set<String> candidates = new LinkedHashSet<>();
    folders.forEach(folder -> files.resolve(folder).ifPresent(candidates::add));
    return candidates;
  }

  /** Libraries for programs of 32 bits have the same names, in {@code /usr/lib} of some. */
  private boolean isOf32Bits(String library) {
    try (InputStream in = Files.newInputStream(files.here(library))) {
      return Arrays.equals(in.readNBytes(ELF_OF_32_BITS.length), ELF_OF_32_BITS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
