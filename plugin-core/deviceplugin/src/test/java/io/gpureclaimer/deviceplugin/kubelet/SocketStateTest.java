package io.gpureclaimer.deviceplugin.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.kubelet.SocketState.Absent;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts the open files of the process")
class SocketStateTest {
  @TempDir Path folder;

  @Test
  void saysWhatIsThereInsteadOfASocket() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);

    assertThat(SocketState.of(file))
        .isEqualTo(new Absent(file + " is a regular file, not a socket"));
    assertThat(SocketState.of(folder)).isEqualTo(new Absent(folder + " is a folder, not a socket"));
    assertThat(SocketState.of(link))
        .isEqualTo(new Absent(link + " is a symbolic link, not a socket"));
    assertThat(SocketState.of(folder.resolve("none")))
        .isEqualTo(new Absent(folder.resolve("none") + " is not there"));
    assertThat(SocketState.of(folder.resolve("none/either")))
        .isEqualTo(new Absent(folder.resolve("none/either") + " is not there, nor is its folder"));
  }

  @Test
  void saysWhatToDo_whenAMountedFolderWasDeleted() throws IOException {
    Path deleted = Files.createDirectory(folder.resolve("deleted"));
    try (var _ = Files.newDirectoryStream(deleted)) {
      Files.delete(deleted);

      assertThat(SocketState.of(stillOpen(deleted).resolve("kubelet.sock")))
          .isInstanceOfSatisfying(
              Absent.class,
              absent ->
                  assertThat(absent.why())
                      .endsWith(
                          "kubelet.sock is not there, and its folder was deleted on the node after"
                              + " it was mounted here: delete this pod, the next one sees the"
                              + " folder that is there now"));
    }
  }

  /** Like a mount, a descriptor leads to a file that no longer has a name. */
  private static Path stillOpen(Path deleted) throws IOException {
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors) {
        if (Files.isSymbolicLink(descriptor)
            && Files.readSymbolicLink(descriptor).toString().startsWith(deleted.toString())) {
          return descriptor;
        }
      }
    }
    throw new IllegalStateException(deleted + " is not open");
  }

  @Test
  void aSocketIsTheSame_untilAnotherTakesItsPlace() throws IOException {
    Path socket = folder.resolve("socket");
    SocketState first = bound(socket);
    assertThat(SocketState.of(socket)).isEqualTo(first);
    for (int round = 0; round < 20; round++) {
      Files.delete(socket);

      assertThat(bound(socket)).isNotEqualTo(first);
    }
  }

  private static SocketState bound(Path socket) throws IOException {
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      return SocketState.of(socket);
    }
  }
}
