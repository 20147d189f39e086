package io.gpureclaimer.deviceplugin.cdi.driver;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Libraries whose names do not end with the driver's version, or that lie apart. */
final class OddLibraries {
  static final Pattern OF_OTHER_VERSIONS =
      Pattern.compile(
          "libnvidia-nvvm70\\.so\\..*|libnvidia-egl-(gbm|wayland|wayland2)\\.so\\.[^.]*\\..*");

  private static final List<String> XORG = List.of("drivers", "extensions");

  private OddLibraries() {}

  /** Modules of the X server. */
  static Pattern xorg(String version) {
    return Pattern.compile("nvidia_drv\\.so|libglxserver_nvidia\\.so\\." + Pattern.quote(version));
  }

  /** Where they are. */
  static List<String> xorgFolders(List<String> libraryFolders) {
    return Stream.concat(
            libraryFolders.stream().map(folder -> folder + "/nvidia/xorg"),
            Stream.concat(
                    libraryFolders.stream().map(folder -> folder + "/xorg"),
                    Stream.of(
                        "/usr/lib/xorg", "/usr/lib64/xorg", "/usr/X11R6/lib", "/usr/X11R6/lib64"))
                .flatMap(
                    folder ->
                        Stream.of("/modules/", "/modules/updates/")
                            .flatMap(
                                modules -> XORG.stream().map(kind -> folder + modules + kind))))
        .distinct()
        .toList();
  }
}
