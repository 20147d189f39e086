package io.gpureclaimer.core.doctor;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Reads files of a node that is mounted somewhere, by the names that they have on the node. Links
 * are followed as the node would, not as this container does.
 */
public final class NodeFiles {
  private static final int MOST_LINKS = 40;
  private static final int KIND_OF_FILE = 0170000;
  private static final int SOCKET = 0140000;
  private static final long LARGEST = 4L << 20;

  private final Path root;

  /**
   * @param root what is {@code /} on the node
   */
  public NodeFiles(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /** What happens when somebody connects to a socket. */
  enum Knock {
    /** There is no file of that name. */
    ABSENT,
    /** There is one, and it is no socket. */
    NO_SOCKET,
    /** It is a socket to which we may not connect. */
    FORBIDDEN,
    /** It is a socket, and nobody listens. */
    NOBODY,
    /** Somebody listens. */
    ANSWERS
  }

  /** Whether there is such a file or folder, as far as can be seen. */
  boolean exists(String path) {
    return Files.exists(at(path));
  }

  boolean isFolder(String path) {
    return Files.isDirectory(at(path));
  }

  /** The text of a file; empty if it is not there or may not be read. */
  Optional<String> text(String path) {
    Path file = at(path);
    try {
      return Files.size(file) > LARGEST ? Optional.empty() : Optional.of(Files.readString(file));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** The names in a folder, sorted; none if it is not there or may not be read. */
  List<String> names(String folder) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(at(folder))) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (IOException _) {
      return List.of();
    }
    Collections.sort(names);
    return names;
  }

  /** The name of what a link points to. */
  Optional<String> linked(String link) {
    int slash = link.lastIndexOf('/');
    try {
      Path file = at(link.substring(0, slash)).resolve(link.substring(slash + 1));
      return Optional.of(String.valueOf(Files.readSymbolicLink(file).getFileName()));
    } catch (IOException | UnsupportedOperationException _) {
      return Optional.empty();
    }
  }

  Knock knock(String path) {
    Path file = at(path);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Knock.ABSENT;
    }
    try {
      int mode = (Integer) Files.getAttribute(file, "unix:mode");
      if ((mode & KIND_OF_FILE) != SOCKET) {
        return Knock.NO_SOCKET;
      }
    } catch (IOException _) {
      return Knock.FORBIDDEN;
    }
    if (!Files.isWritable(file)) {
      return Knock.FORBIDDEN;
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(file));
      return Knock.ANSWERS;
    } catch (IOException _) {
      return Knock.NOBODY;
    }
  }

  /** Where a file of the node is for us. */
  Path at(String path) {
    Deque<String> rest = new ArrayDeque<>(parts(path));
    Path here = root;
    int links = 0;
    while (!rest.isEmpty()) {
      String part = rest.removeFirst();
      if (part.equals("..")) {
        here = here.equals(root) ? root : parent(here);
        continue;
      }
      Path next = here.resolve(part);
      if (!Files.isSymbolicLink(next) || isMagic(next) || ++links > MOST_LINKS) {
        here = next;
        continue;
      }
      String target = target(next);
      here = target.startsWith("/") ? root : here;
      List<String> parts = parts(target);
      for (int at = parts.size() - 1; at >= 0; at--) {
        rest.addFirst(parts.get(at));
      }
    }
    return here;
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  /** Links of /proc lead where their text does not say. */
  private boolean isMagic(Path link) {
    return link.startsWith(root.resolve("proc"));
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException _) {
      return "";
    }
  }

  private static List<String> parts(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(part -> !part.isEmpty() && !part.equals("."))
        .toList();
  }
}
