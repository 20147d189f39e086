package io.gpureclaimer.common.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files below a folder, as a program would see them that has the folder for its root: links are
 * followed, and never lead out of it. Paths begin with a slash.
 */
public final class RootedFiles {
  /** As many as Linux follows. */
  private static final int MOST_LINKS = 40;

  private final Path root;
  private final Path proc;

  public RootedFiles(Path root) {
    this.root = root;
    this.proc = root.resolve("proc");
  }

  /** What is there in the end, links followed; empty if nothing. */
  public Optional<String> resolve(String path) {
    Deque<String> ahead = names(path);
    var behind = new ArrayList<String>();
    int links = 0;
    while (!ahead.isEmpty()) {
      String name = ahead.removeFirst();
      if (name.equals("..")) {
        if (!behind.isEmpty()) {
          behind.removeLast();
        }
        continue;
      }
      behind.add(name);
      Path file = here(joined(behind));
      if (isFollowed(file)) {
        links++;
        String target = target(file);
        if (links > MOST_LINKS) {
          return Optional.empty();
        }
        behind.removeLast();
        if (target.startsWith("/")) {
          behind.clear();
        }
        names(target).descendingIterator().forEachRemaining(ahead::addFirst);
      } else if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
    }
    return Optional.of(joined(behind));
  }

  /** Links of {@code /proc} lead where their text does not say. */
  private boolean isFollowed(Path file) {
    return Files.isSymbolicLink(file) && !file.startsWith(proc);
  }

  /** The file that is there in the end; empty if it is none, or a folder. */
  public Optional<String> file(String path) {
    return resolve(path)
        .filter(found -> !Files.isDirectory(here(found), LinkOption.NOFOLLOW_LINKS));
  }

  /** Where we have what is at that path; the path must be resolved. */
  public Path here(String resolved) {
    return root.resolve(resolved.substring(1));
  }

  /** What a link says, as it says it; empty if it is none. Its folder must be resolved. */
  public Optional<String> link(String path) {
    Path file = here(path);
    return Files.isSymbolicLink(file) ? Optional.of(target(file)) : Optional.empty();
  }

  /** The paths of what is in a folder, by name; none if there is no such folder. */
  public List<String> list(String folder, Pattern name) {
    Optional<String> found =
        resolve(folder).filter(at -> Files.isDirectory(here(at), LinkOption.NOFOLLOW_LINKS));
    if (found.isEmpty()) {
      return List.of();
    }
    var paths = new ArrayList<String>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(here(found.get()))) {
      for (Path entry : entries) {
        String text = String.valueOf(entry.getFileName());
        if (name.matcher(text).matches()) {
          paths.add(folder.equals("/") ? folder + text : folder + "/" + text);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DirectoryIteratorException e) {
      throw new UncheckedIOException(e.getCause());
    }
    paths.sort(null);
    return List.copyOf(paths);
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Deque<String> names(String path) {
    var names = new ArrayDeque<String>();
    for (Path name : Path.of(path)) {
      if (!name.toString().equals(".")) {
        names.add(name.toString());
      }
    }
    return names;
  }

  private static String joined(List<String> names) {
    return "/" + String.join("/", names);
  }
}
