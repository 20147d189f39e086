package io.gpureclaimer.deviceplugin.kubelet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** State of a socket file. */
sealed interface SocketState {

  /** The socket exists. */
  record Present(FileIdentity identity) implements SocketState {}

  /**
   * The socket does not exist.
   *
   * @param why in one line, with the path
   */
  record Absent(String why) implements SocketState {}

  static SocketState of(Path path) {
    try {
      var found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isOther()
          ? new Present(new FileIdentity(found.fileKey(), found.creationTime()))
          : new Absent(path + " is " + kind(found) + ", not a socket");
    } catch (NoSuchFileException e) {
      return new Absent(path + " is not there" + folder(path));
    } catch (IOException e) {
      return new Absent(path + " cannot be read: " + e);
    }
  }

  /** Empty if there is no socket. */
  static Optional<FileIdentity> identity(Path path) {
    return of(path) instanceof Present(var identity) ? Optional.of(identity) : Optional.empty();
  }

  private static String kind(BasicFileAttributes found) {
    if (found.isDirectory()) {
      return "a folder";
    }
    return found.isSymbolicLink() ? "a symbolic link" : "a regular file";
  }

  private static String folder(Path path) {
    try {
      return Files.getAttribute(path.resolveSibling(""), "unix:nlink").equals(0)
          ? ", and its folder was deleted on the node after it was mounted here: "
              + "delete this pod, the"
              + " next one sees the folder that is there now"
          : "";
    } catch (IOException _) {
      return ", nor is its folder";
    }
  }

  /**
   * Distinguishes one socket from another that came later under the same name. The time is needed
   * because a file system may give the inode of a deleted file to the next one at once.
   *
   * @param inode the device and the inode
   * @param born when the file was made
   */
  record FileIdentity(@Nullable Object inode, FileTime born) {}
}
