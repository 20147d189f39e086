package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Cause;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Folder from which container runtimes read CDI specifications. A file in it is either as it was or
 * as it is to be, never half; what cannot be written leaves nothing behind. Confined to one thread.
 */
final class CdiFolder {
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwxr-xr-x");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");

  /** Runtimes read files whose names end in .json or .yaml. */
  private static final String UNREAD = ".tmp";

  private final Path folder;
  private final Writing writing;
  private final Predicate<Path> isCutOff;
  private final Map<CdiKind, byte[]> written = new HashMap<>();

  CdiFolder(Path folder) {
    this(folder, CdiFolder::writeAndSync, CdiFolder::hasNoName);
  }

  CdiFolder(Path folder, Writing writing, Predicate<Path> isCutOff) {
    this.folder = folder;
    this.writing = writing;
    this.isCutOff = isCutOff;
  }

  /** A folder that was deleted stays where it is mounted, and has no name left. */
  static boolean hasNoName(Path folder) {
    try {
      return Files.getAttribute(folder, "unix:nlink").equals(0);
    } catch (IOException _) {
      return false; // It is not there at all, and can be made.
    }
  }

  /** Writes the content of a new file. */
  interface Writing {
    void write(Path file, byte[] bytes) throws IOException;
  }

  Path file(CdiKind kind) {
    return folder.resolve(kind.fileName());
  }

  /** Makes the file of that kind be that text. */
  CdiOutcome put(CdiKind kind, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Path file = file(kind);
    if (isCutOff.test(folder)) {
      written.remove(kind);
      return new CdiOutcome.FolderDeleted(
          folder
              + " was deleted on the node after it was mounted here, so that no "
              + "runtime sees what is"
              + " written until the container restarts, which mounts the folder that is there"
              + " then; /health fails for that purpose, unless daemons of MPS run in it");
    }
    try {
      make();
      Optional<byte[]> found = read(file);
      if (found.isPresent() && Arrays.equals(found.get(), bytes)) {
        written.put(kind, bytes);
        return new CdiOutcome.Unchanged();
      }
      replace(file, bytes);
      return new CdiOutcome.Written(cause(found, written.put(kind, bytes)));
    } catch (IOException e) {
      return failed("write", file, e);
    }
  }

  /** Makes that there is no file of that kind. */
  CdiOutcome remove(CdiKind kind) {
    Path file = file(kind);
    written.remove(kind);
    try {
      return Files.deleteIfExists(file) ? new CdiOutcome.Removed() : new CdiOutcome.Unchanged();
    } catch (IOException e) {
      return failed("remove", file, e);
    }
  }

  private static Optional<byte[]> read(Path file) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  private static Cause cause(Optional<byte[]> found, byte @Nullable [] last) {
    if (found.isEmpty()) {
      return last == null ? Cause.NEW : Cause.VANISHED;
    }
    return last == null || Arrays.equals(found.get(), last) ? Cause.CHANGED : Cause.OVERWRITTEN;
  }

  private void make() throws IOException {
    if (!Files.exists(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, FOLDER);
    } else if (!Files.isDirectory(folder)) {
      throw new FileSystemException(folder.toString(), null, folder + " is not a folder");
    }
  }

  private void replace(Path file, byte[] bytes) throws IOException {
    String prefix = "." + file.getFileName() + ".";
    removeLeftovers(prefix);
    Path next = Files.createTempFile(folder, prefix, UNREAD);
    try {
      writing.write(next, bytes);
      Files.setPosixFilePermissions(next, FILE);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  /** Of a program that was killed while it wrote. */
  private void removeLeftovers(String prefix) throws IOException {
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(folder, prefix + "*" + UNREAD)) {
      for (Path leftover : leftovers) {
        Files.deleteIfExists(leftover);
      }
    }
  }

  private static void writeAndSync(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
  }

  private static CdiOutcome failed(String what, Path file, IOException e) {
    String reason =
        e instanceof FileSystemException failure && failure.getReason() != null
            ? failure.getReason()
            : e.toString();
    return new CdiOutcome.Failed(
        "cannot "
            + what
            + " the CDI specification "
            + file
            + ": "
            + reason
            + "; what was there before stays in force");
  }
}
