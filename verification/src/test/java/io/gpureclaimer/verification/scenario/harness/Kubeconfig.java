package io.gpureclaimer.verification.scenario.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Kubeconfig of the cluster that this JVM tests on: the file that KUBECONFIG names. If the property
 * {@code scenario.kubeconfigs} lists files instead, separated by commas, it is the first one that
 * no other JVM uses; a lock on a file next to it lasts until the JVM ends.
 */
public final class Kubeconfig {
  private static final String SEVERAL = System.getProperty("scenario.kubeconfigs", "");

  /** Kept and never closed: the lock ends when the channel is closed or collected. */
  private static final List<FileChannel> LOCKS = new ArrayList<>();

  private static final Optional<Path> FILE =
      SEVERAL.isEmpty()
          ? Optional.ofNullable(System.getenv("KUBECONFIG")).map(Path::of)
          : Optional.of(firstUnused());

  private Kubeconfig() {}

  /** The file, if one is named. */
  public static Optional<Path> file() {
    return FILE;
  }

  /** The file. */
  public static Path required() {
    return FILE.orElseThrow(
        () ->
            new IllegalStateException("KUBECONFIG must name the cluster to test on, was not set"));
  }

  private static Path firstUnused() {
    for (String name : SEVERAL.split(",", -1)) {
      Path file = Path.of(name);
      if (isLocked(file.resolveSibling(file.getFileName() + ".lock"))) {
        return file;
      }
    }
    throw new IllegalStateException(
        "more JVMs than clusters: other JVMs use each of scenario.kubeconfigs=" + SEVERAL);
  }

  private static boolean isLocked(Path file) {
    try {
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      LOCKS.add(channel);
      return channel.tryLock() != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
