package io.gpureclaimer.deviceplugin.cdi.driver;

import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.Library;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.LibraryLink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The links to a driver's libraries that a container needs: those that the host has, and some that
 * programs rely on although not every distribution makes them.
 */
public final class LibraryLinks {
  private LibraryLinks() {}

  /** Each path once, in the order of the libraries. */
  public static List<LibraryLink> of(DriverFiles files) {
    Map<String, LibraryLink> links = new LinkedHashMap<>();
    Stream.concat(
            files.libraries().stream().flatMap(library -> library.links().stream()),
            Stream.of(
                    link(files, "libcuda.so", "libcuda.so", "libcuda.so.1"),
                    link(
                        files,
                        "libnvidia-opticalflow.so",
                        "libnvidia-opticalflow.so",
                        "libnvidia-opticalflow.so.1"),
                    link(
                        files,
                        "libnvidia-allocator.so",
                        "gbm/nvidia-drm_gbm.so",
                        "../libnvidia-allocator.so.1"),
                    toItself(files, "libGLX_nvidia.so", "libGLX_indirect.so.0"),
                    toItself(files, "libnvidia-vulkan-producer.so", "libnvidia-vulkan-producer.so"),
                    toItself(files, "libglxserver_nvidia.so", "libglxserver_nvidia.so"))
                .flatMap(some -> some))
        .forEach(link -> links.putIfAbsent(link.path(), link));
    return List.copyOf(links.values());
  }

  private static Stream<LibraryLink> link(
      DriverFiles files, String library, String path, String target) {
    return files.named(library).map(found -> new LibraryLink(beside(found, path), target));
  }

  private static Stream<LibraryLink> toItself(DriverFiles files, String library, String path) {
    return files.named(library).map(found -> new LibraryLink(beside(found, path), found.name()));
  }

  private static String beside(Library library, String path) {
    return library.folder() + "/" + path;
  }
}
