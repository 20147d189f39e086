package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import io.gpureclaimer.deviceplugin.publication.Published;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/**
 * A file of Node Feature Discovery's {@code features.d}, which its worker turns into labels. It is
 * replaced as a whole: who reads it sees the old labels or the new ones.
 */
public final class FeatureFile implements PublicationSink<NodeLabels> {
  private static final String READABLE_BY_ALL = "rw-r--r--";

  private final Path file;
  private final Path draft;

  /**
   * @param file its folder has to be there; a hidden file beside it is used for a moment
   */
  public FeatureFile(Path file) {
    this.file = file;
    this.draft = file.resolveSibling('.' + String.valueOf(file.getFileName()) + ".tmp");
  }

  @Override
  public String target() {
    return "the file " + file;
  }

  @Override
  public Published publish(NodeLabels labels) {
    byte[] lines = labels.lines().getBytes(StandardCharsets.UTF_8);
    try {
      if (Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), lines)) {
        return new Published.Same(List.of());
      }
      Files.write(draft, lines);
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString(READABLE_BY_ALL));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return new Published.Written(List.of());
    } catch (IOException e) {
      return new Published.Failed(
          Published.PublishFailure.FILE, "cannot write " + file + ": " + withKind(e));
    }
  }

  /** The messages of file systems are mere paths. */
  private static String withKind(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
