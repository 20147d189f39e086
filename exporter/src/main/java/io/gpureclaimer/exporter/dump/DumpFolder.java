package io.gpureclaimer.exporter.dump;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The directory of the dumps, held open: whatever is put in its place meanwhile, nothing is written
 * or removed elsewhere. It is no link, and neither are the files; none but their owner reads them.
 */
final class DumpFolder implements Closeable {
  private static final Pattern OURS = Pattern.compile("metrics-gpu-[-\\d]+\\.json(\\.gz)?");
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final SecureDirectoryStream<Path> folder;

  private DumpFolder(SecureDirectoryStream<Path> folder) {
    this.folder = folder;
  }

  /** Makes it when it is missing, and those above it. */
  static DumpFolder open(Path directory) throws IOException {
    Path path = directory.toAbsolutePath().normalize();
    Path parent = path.getParent();
    if (parent == null) {
      throw new NotDirectoryException(path + " (must be a directory of its own)");
    }
    Files.createDirectories(parent);
    try {
      Files.createDirectory(path, OWNERS_FOLDER);
    } catch (FileAlreadyExistsException _) {
      // What it is shows when it is opened.
    }
    try (var above = Files.newDirectoryStream(parent)) {
      return new DumpFolder(
          secure(above, path).newDirectoryStream(path.getFileName(), LinkOption.NOFOLLOW_LINKS));
    }
  }

  private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream, Path path)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    throw new NotDirectoryException(path + " (its file system cannot keep a directory open)");
  }

  /** Our files, by name. */
  Map<String, BasicFileAttributes> files() throws IOException {
    var files = new HashMap<String, BasicFileAttributes>();
    try {
      for (Path entry : folder) {
        String name = String.valueOf(entry.getFileName());
        if (OURS.matcher(name).matches()) {
          look(name, files);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  private void look(String name, Map<String, BasicFileAttributes> into) throws IOException {
    try {
      var found =
          folder
              .getFileAttributeView(
                  Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes();
      if (found.isRegularFile()) {
        into.put(name, found);
      }
    } catch (NoSuchFileException _) {
      // Somebody has just removed it.
    }
  }

  /** A new file; fails if there is something of that name. */
  OutputStream create(String name) throws IOException {
    return Channels.newOutputStream(
        folder.newByteChannel(
            Path.of(name),
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            OWNERS_FILE));
  }

  /** Does nothing if it is not there. */
  void remove(String name) throws IOException {
    try {
      folder.deleteFile(Path.of(name));
    } catch (NoSuchFileException _) {
      // Somebody else has removed it.
    }
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
