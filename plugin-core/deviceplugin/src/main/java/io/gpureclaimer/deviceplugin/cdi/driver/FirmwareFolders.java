package io.gpureclaimer.deviceplugin.cdi.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the running kernel looks for firmware, by its own parameter. */
public final class FirmwareFolders {
  private final Path release;
  private final Path own;

  /**
   * @param proc where {@code /proc} is
   * @param sys where {@code /sys} is
   */
  public FirmwareFolders(Path proc, Path sys) {
    this.release = proc.resolve("sys/kernel/osrelease");
    this.own = sys.resolve("module/firmware_class/parameters/path");
  }

  /** In the kernel's order. */
  public List<String> all() {
    Stream<String> ofThisKernel =
        text(release).stream()
            .flatMap(name -> Stream.of("/lib/firmware/updates/" + name, "/lib/firmware/" + name));
    return Stream.of(
            text(own).stream(), ofThisKernel, Stream.of("/lib/firmware/updates", "/lib/firmware"))
        .flatMap(folders -> folders)
        .toList();
  }

  /** The first line of a file; empty if it has none. */
  private static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
