package io.gpureclaimer.deviceplugin.cdi.driver;

import java.util.List;
import java.util.stream.Stream;

/**
 * The files of one driver, as they were found. All paths are within the driver's root.
 *
 * @param version of the driver
 * @param folders where its libraries are, links followed
 * @param libraries files of that version, and some that have versions of their own
 * @param others settings, firmware and programs
 * @param sockets of services that programs talk to
 */
public record DriverFiles(
    String version,
    List<String> folders,
    List<Library> libraries,
    List<Found> others,
    List<Found> sockets) {
  public DriverFiles {
    folders = List.copyOf(folders);
    libraries = List.copyOf(libraries);
    others = List.copyOf(others);
    sockets = List.copyOf(sockets);
  }

  /** The library of that name and the driver's version, {@code libcuda.so}. */
  public Stream<Library> named(String name) {
    return libraries.stream().filter(library -> library.name().equals(name + "." + version));
  }

  /**
   * A file.
   *
   * @param path where a container has it
   * @param target what is mounted there: where links lead
   */
  public record Found(String path, String target) {}

  /**
   * A library.
   *
   * @param file the library itself
   * @param links other names of it
   */
  public record Library(Found file, List<LibraryLink> links) {
    public Library {
      links = List.copyOf(links);
    }

    /** The file's name without its folder. */
    public String name() {
      return file.path().substring(file.path().lastIndexOf('/') + 1);
    }

    /** The folder that it was found in. */
    public String folder() {
      return file.path().substring(0, file.path().lastIndexOf('/'));
    }
  }

  /**
   * A symbolic link to a library.
   *
   * @param path of the link
   * @param target what it says
   */
  public record LibraryLink(String path, String target) {}
}
