package io.gpureclaimer.reclaimer.evidence.source;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of Debian packages, which a machine may lack. */
public final class DebianTool {
  private DebianTool() {}

  /** The one on the PATH, or the one that {@code ./test} has unpacked of the package. */
  public static Optional<Path> of(String aPackage, String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    Path unpacked =
        Path.of(System.getProperty("user.home"), ".cache/gpu-reclaimer/debian", aPackage);
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator, -1)).map(Path::of),
            Stream.of(unpacked.resolve("usr/bin")))
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
