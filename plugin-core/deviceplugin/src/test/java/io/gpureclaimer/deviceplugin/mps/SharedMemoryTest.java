package io.gpureclaimer.deviceplugin.mps;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.mps.MpsSupervisor.SharedMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryTest {
  @TempDir Path folder;

  @Test
  void isWell_whenBothAreOne() throws IOException {
    Path ours = Files.createDirectory(folder.resolve("ours"));

    assertThat(
            SharedMemory.problem(ours, Files.createSymbolicLink(folder.resolve("clients"), ours)))
        .isEmpty();
  }

  @Test
  void isReported_whenTheyAreTwo() throws IOException {
    Path ours = Files.createDirectory(folder.resolve("ours"));
    Path clients = Files.createDirectory(folder.resolve("clients"));

    assertThat(SharedMemory.problem(ours, clients))
        .contains(
            clients
                + " and "
                + ours
                + " are two. MPS clients and the daemon need the same memory: mount one tmpfs at"
                + " both "
                + clients
                + " and "
                + ours
                + " of this container");
  }
}
