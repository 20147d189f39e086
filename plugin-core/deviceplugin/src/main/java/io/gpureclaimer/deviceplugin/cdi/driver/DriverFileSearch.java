package io.gpureclaimer.deviceplugin.cdi.driver;

import io.gpureclaimer.common.files.RootedFiles;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.Found;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.Library;
import io.gpureclaimer.deviceplugin.cdi.driver.DriverFiles.LibraryLink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the installed files of a driver, as NVIDIA's tools do. Asks the file system each time. */
public final class DriverFileSearch {
  private static final Pattern LINK = Pattern.compile("lib.+\\.so(\\.[0-9]+)*");
  private static final List<String> SETTINGS_FOLDERS = List.of("/etc", "/usr/share");

  private static final List<String> SETTINGS =
      List.of(
          "glvnd/egl_vendor.d/10_nvidia.json",
          "egl/egl_external_platform.d/15_nvidia_gbm.json",
          "egl/egl_external_platform.d/10_nvidia_wayland.json",
          "egl/egl_external_platform.d/09_nvidia_wayland2.json",
          "nvidia/nvoptix.bin",
          "X11/xorg.conf.d/10-nvidia.conf",
          "X11/xorg.conf.d/nvidia-drm-outputclass.conf",
          "OpenCL/vendors/nvidia.icd");

  /** Containers have them in {@code /etc}, wherever the driver has put them. */
  private static final List<String> VULKAN =
      List.of(
          "vulkan/icd.d/nvidia_icd.json",
          "vulkan/icd.d/nvidia_icd.x86_64.json",
          "vulkan/icd.d/nvidia_icd.aarch64.json",
          "vulkan/icd.d/nvidia_layers.json",
          "vulkan/implicit_layer.d/nvidia_layers.json");

  private static final List<String> PROGRAM_FOLDERS =
      List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

  private static final List<String> PROGRAMS =
      List.of(
          "nvidia-smi",
          "nvidia-debugdump",
          "nvidia-persistenced",
          "nvidia-cuda-mps-control",
          "nvidia-cuda-mps-server",
          "nvidia-imex",
          "nvidia-imex-ctl");

  private static final List<String> SOCKETS =
      List.of(
          "/run/nvidia-persistenced/socket", "/run/nvidia-fabricmanager/socket", "/tmp/nvidia-mps");

  private final RootedFiles files;
  private final LibraryFolders folders;
  private final FirmwareFolders firmware;

  public DriverFileSearch(RootedFiles files, FirmwareFolders firmware) {
    this.files = files;
    this.folders = new LibraryFolders(files);
    this.firmware = firmware;
  }

  /** Result of a search for the driver's files. */
  public sealed interface SearchResult {

    record Complete(DriverFiles files) implements SearchResult {}

    /**
     * The driver's libraries were not found.
     *
     * @param found the libraries of another version that are, where they are
     */
    record Missing(List<String> found) implements SearchResult {}
  }

  public SearchResult find(String version) {
    List<String> at = folders.of(version);
    if (at.isEmpty()) {
      return new SearchResult.Missing(folders.found());
    }
    return new SearchResult.Complete(
        new DriverFiles(
            version,
            at,
            libraries(at, version),
            Stream.of(settings(), firmware(version), programs()).flatMap(List::stream).toList(),
            SOCKETS.stream().flatMap(path -> any(path).stream()).toList()));
  }

  private List<Library> libraries(List<String> at, String version) {
    Pattern ofThisDriver = Pattern.compile(".*\\.so\\." + Pattern.quote(version));
    Pattern any = Pattern.compile(ofThisDriver + "|" + UnversionedLibraries.OF_OTHER_VERSIONS);
    var found = new ArrayList<String>();
    for (String folder : at) {
      found.addAll(files.list(folder, any));
      found.addAll(files.list(folder + "/vdpau", ofThisDriver));
    }
    for (String folder : UnversionedLibraries.xorgFolders(at)) {
      found.addAll(files.list(folder, UnversionedLibraries.xorg(version)));
    }
    List<Found> libraries =
        found.stream().distinct().flatMap(path -> file(path, path).stream()).toList();
    return withLinks(libraries, at);
  }

  private List<Library> withLinks(List<Found> libraries, List<String> at) {
    Set<String> stems =
        libraries.stream().map(library -> stem(library.path())).collect(Collectors.toSet());
    var links =
        at.stream()
            .flatMap(folder -> files.list(folder, LINK).stream())
            .filter(path -> stems.contains(stem(path)))
            .flatMap(path -> link(path).stream())
            .collect(
                Collectors.groupingBy(
                    link -> files.resolve(link.path()).orElse(link.path()), Collectors.toList()));
    return libraries.stream()
        .map(
            found ->
                new Library(
                    found,
                    links.getOrDefault(found.target(), List.of()).stream()
                        .filter(link -> !link.path().equals(found.path()))
                        .toList()))
        .toList();
  }

  /** What the names of a library have in common: {@code libcuda.so}. */
  private static String stem(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int end = name.indexOf(".so");
    return end < 0 ? name : name.substring(0, end);
  }

  /** Says where it leads in the end if it leads out of its folder: what is between is not there. */
  private Optional<LibraryLink> link(String path) {
    return files
        .link(path)
        .flatMap(
            text ->
                text.indexOf('/') < 0
                    ? Optional.of(new LibraryLink(path, text))
                    : files.resolve(path).map(target -> new LibraryLink(path, target)));
  }

  private List<Found> settings() {
    return Stream.concat(
            SETTINGS.stream().flatMap(name -> first(SETTINGS_FOLDERS, name, at -> at).stream()),
            VULKAN.stream()
                .flatMap(
                    name ->
                        first(List.of("/etc", "/usr/share", ""), name, _ -> "/etc/" + name)
                            .stream()))
        .toList();
  }

  private List<Found> firmware(String version) {
    Pattern gsp = Pattern.compile("gsp.*\\.bin");
    return firmware.all().stream()
        .flatMap(folder -> files.list(folder + "/nvidia/" + version, gsp).stream())
        .flatMap(path -> file(path, path).stream())
        .toList();
  }

  private List<Found> programs() {
    return PROGRAMS.stream()
        .flatMap(name -> first(PROGRAM_FOLDERS, name, at -> at).stream())
        .toList();
  }

  private Optional<Found> first(
      List<String> folders, String name, Function<String, String> inContainer) {
    return folders.stream()
        .map(folder -> folder + "/" + name)
        .flatMap(path -> file(path, inContainer.apply(path)).stream())
        .findFirst();
  }

  private Optional<Found> file(String path, String inContainer) {
    return files.file(path).map(target -> new Found(inContainer, target));
  }

  private Optional<Found> any(String path) {
    return files.resolve(path).map(target -> new Found(path, target));
  }

  /** Libraries whose names do not end with the driver's version, or that lie apart. */
  static final class UnversionedLibraries {
    static final Pattern OF_OTHER_VERSIONS =
        Pattern.compile(
            "libnvidia-nvvm70\\.so\\..*|libnvidia-egl-(gbm|wayland|wayland2)\\.so\\.[^.]*\\..*");

    private static final List<String> XORG = List.of("drivers", "extensions");

    private UnversionedLibraries() {}

    /** Modules of the X server. */
    static Pattern xorg(String version) {
      return Pattern.compile(
          "nvidia_drv\\.so|libglxserver_nvidia\\.so\\." + Pattern.quote(version));
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
}
