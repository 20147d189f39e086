package io.gpureclaimer.exporter.attribution.process;

import io.gpureclaimer.exporter.attribution.process.ProcessLocation.Gone;
import io.gpureclaimer.exporter.attribution.process.ProcessLocation.Hidden;
import io.gpureclaimer.exporter.attribution.process.ProcessLocation.In;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The kernel's folder of processes, usually {@code /proc}. */
public final class ProcFolder {
  /** The kernel's own second process: only its first namespace has one. */
  private static final String SECOND_OF_THE_HOST = "kthreadd";

  private static final int LARGEST_BYTES = 64 * 1024;

  private final Path folder;

  /** Reads nothing yet. */
  public ProcFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Whether the numbers in here are those of the host, which the driver reports. In a container
   * they are not, unless it shares the host's process namespace: the same number is then another
   * process, or none.
   */
  public boolean isOfHost() {
    try {
      return read(folder.resolve("2").resolve("comm")).strip().equals(SECOND_OF_THE_HOST);
    } catch (IOException _) {
      return false;
    }
  }

  /** Where a process is now. */
  public ProcessLocation of(long pid) {
    try {
      return new In(CgroupText.places(read(folder.resolve(Long.toString(pid)).resolve("cgroup"))));
    } catch (NoSuchFileException _) {
      return new Gone();
    } catch (IOException e) {
      // A process that ends while its file is being read is an error of its own kind.
      return Files.exists(folder.resolve(Long.toString(pid)))
          ? new Hidden(e.toString())
          : new Gone();
    }
  }

  private static String read(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LARGEST_BYTES), StandardCharsets.UTF_8);
    }
  }
}
