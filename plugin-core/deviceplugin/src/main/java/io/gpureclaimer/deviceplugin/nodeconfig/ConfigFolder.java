package io.gpureclaimer.deviceplugin.nodeconfig;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;

/** A folder with a file for each configuration, usually a mounted ConfigMap. */
public final class ConfigFolder {
  /** A ConfigMap cannot be larger. */
  private static final long LARGEST = 1L << 20;

  /** How the kubelet names what it keeps beside the files of a ConfigMap. */
  private static final String HIDDEN = "..";

  private final Path folder;

  public ConfigFolder(Path folder) {
    this.folder = folder;
  }

  /** The names of its files. */
  SortedSet<String> names() throws IOException {
    var names = new TreeSet<String>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        if (!name.startsWith(HIDDEN) && Files.isRegularFile(file)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  /** The text of one of its files. */
  String content(String name) throws IOException {
    Path file = file(name);
    if (Files.size(file) > LARGEST) {
      throw new IOException(file + " has more than " + LARGEST + " bytes");
    }
    return Files.readString(file);
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
