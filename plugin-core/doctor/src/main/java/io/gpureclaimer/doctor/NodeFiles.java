package io.gpureclaimer.doctor;

import io.gpureclaimer.common.files.RootedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Reads files of a node that is mounted somewhere, by the names that they have on the node. Links
 * are followed as the node would, not as this container does.
 */
public final class NodeFiles {
  private static final int KIND_OF_FILE = 0170000;
  private static final int SOCKET = 0140000;
  private static final long LARGEST = 4L << 20;

  private final RootedFiles files;
  private final boolean complete;

  /**
   * All of a node's files.
   *
   * @param root what is {@code /} on the node
   */
  public NodeFiles(Path root) {
    this(root, true);
  }

  private NodeFiles(Path root, boolean complete) {
    this.files = new RootedFiles(root.toAbsolutePath().normalize());
    this.complete = complete;
  }

  /** Those that a container has of its node; what it has not may be there all the same. */
  public static NodeFiles ofContainer(Path root) {
    return new NodeFiles(root, false);
  }

  /** The outcome of a check that missed files; undecided if not all files are visible. */
  Outcome missed(Outcome outcome) {
    return complete
        ? outcome
        : new Outcome.Undecided(
            "not all files of the node are visible; mount its / (in the chart: "
                + "driverRoot: /), or run gpu-exporter doctor on the node: "
                + outcome.text());
  }

  /** What happens on a connection to a socket. */
  enum SocketProbe {
    /** There is no file of that name. */
    ABSENT,
    /** There is one, and it is no socket. */
    NO_SOCKET,
    /** It is a socket to which we may not connect. */
    FORBIDDEN,
    /** It is a socket, and no process listens. */
    NO_LISTENER,
    /** A process listens. */
    ANSWERS
  }

  /** Whether there is such a file or folder, as far as can be seen. */
  boolean exists(String path) {
    return at(path).filter(Files::exists).isPresent();
  }

  boolean isFolder(String path) {
    return at(path).filter(Files::isDirectory).isPresent();
  }

  /** The text of a file; empty if it is not there or may not be read. */
  Optional<String> text(String path) {
    return at(path).flatMap(NodeFiles::read);
  }

  private static Optional<String> read(Path file) {
    try {
      return Files.size(file) > LARGEST ? Optional.empty() : Optional.of(Files.readString(file));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** The names in a folder, sorted; none if it is not there or may not be read. */
  List<String> names(String folder) {
    return at(folder).map(NodeFiles::namesIn).orElse(List.of());
  }

  private static List<String> namesIn(Path folder) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (IOException | DirectoryIteratorException _) {
      return List.of();
    }
    Collections.sort(names);
    return names;
  }

  /** The name of what a link points to. */
  Optional<String> linked(String link) {
    int slash = link.lastIndexOf('/');
    return at(link.substring(0, slash))
        .flatMap(folder -> target(folder.resolve(link.substring(slash + 1))));
  }

  private static Optional<String> target(Path link) {
    try {
      return Optional.of(String.valueOf(Files.readSymbolicLink(link).getFileName()));
    } catch (IOException | UnsupportedOperationException _) {
      return Optional.empty();
    }
  }

  SocketProbe knock(String path) {
    return at(path).map(NodeFiles::knockAt).orElse(SocketProbe.ABSENT);
  }

  private static SocketProbe knockAt(Path file) {
    try {
      int mode = (Integer) Files.getAttribute(file, "unix:mode");
      if ((mode & KIND_OF_FILE) != SOCKET) {
        return SocketProbe.NO_SOCKET;
      }
    } catch (IOException _) {
      return SocketProbe.FORBIDDEN;
    }
    if (!Files.isWritable(file)) {
      return SocketProbe.FORBIDDEN;
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(file));
      return SocketProbe.ANSWERS;
    } catch (IOException _) {
      return SocketProbe.NO_LISTENER;
    }
  }

  /** Where a file of the node is for us; empty if it is not there, or hidden from us. */
  private Optional<Path> at(String path) {
    try {
      return files.resolve(path).map(files::here);
    } catch (UncheckedIOException _) {
      return Optional.empty();
    }
  }
}
