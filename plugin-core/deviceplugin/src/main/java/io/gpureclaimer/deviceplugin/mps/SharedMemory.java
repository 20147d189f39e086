package io.gpureclaimer.deviceplugin.mps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The memory in which MPS clients and their server meet. Mounting it is the deployment's part. */
final class SharedMemory {
  private SharedMemory() {}

  /**
   * What is wrong with it; empty if nothing.
   *
   * @param ours where the daemon has it: {@code /dev/shm}
   * @param clients what containers get as their {@code /dev/shm}
   */
  static Optional<String> problem(Path ours, Path clients) {
    try {
      if (!Files.isDirectory(clients)) {
        return Optional.of(clients + " is missing. " + remedy(ours, clients));
      }
      return Files.isSameFile(ours, clients)
          ? Optional.empty()
          : Optional.of(clients + " and " + ours + " are two. " + remedy(ours, clients));
    } catch (IOException e) {
      return Optional.of(
          clients + " cannot be looked at (" + e.getMessage() + "). " + remedy(ours, clients));
    }
  }

  private static String remedy(Path ours, Path clients) {
    return "MPS clients and the daemon need the same memory: mount one tmpfs at both "
        + clients
        + " and "
        + ours
        + " of this container";
  }
}
