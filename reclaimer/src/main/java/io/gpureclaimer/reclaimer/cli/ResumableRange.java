package io.gpureclaimer.reclaimer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A folder in which a command over the past keeps its range and the answers that it got, so that
 * the same command continues where it was interrupted.
 */
final class ResumableRange {
  private static final String FILE = "range";

  private final Path folder;

  ResumableRange(Path folder) {
    this.folder = folder;
  }

  /** A folder that cannot be used. */
  static final class UnusableFolder extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private UnusableFolder(String message) {
      super(message);
    }
  }

  /** Where the past begins and ends. */
  record StoredRange(Instant from, Instant to, boolean isContinued) {}

  /**
   * The range that the folder has, or this one, which it has then.
   *
   * @param command what was asked for, in one line; another one must not use the folder
   */
  StoredRange keep(String command, Instant from, Instant to) {
    Path file = folder.resolve(FILE);
    try {
      Files.createDirectories(folder);
      if (!Files.exists(file)) {
        Files.write(file, List.of(command, from.toString(), to.toString()));
        return new StoredRange(from, to, false);
      }
      List<String> lines = Files.readAllLines(file);
      if (lines.size() != 3 || !lines.getFirst().equals(command)) {
        throw new UnusableFolder(
            "--resume must name an empty folder or one of the same command, found that of: "
                + lines.stream().findFirst().orElse("nothing"));
      }
      return new StoredRange(Instant.parse(lines.get(1)), Instant.parse(lines.get(2)), true);
    } catch (IOException e) {
      throw new UnusableFolder("cannot use the folder " + folder + " of --resume: " + e);
    }
  }
}
