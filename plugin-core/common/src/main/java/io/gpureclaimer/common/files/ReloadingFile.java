package io.gpureclaimer.common.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * File that is read again when it changes. The last value that could be parsed stays in force while
 * the file is missing, unreadable or wrong. Safe for several threads.
 */
public final class ReloadingFile<T> {
  private final Path file;
  private final int mostBytes;
  private final Parser<T> parser;
  private final AtomicReference<State<T>> state =
      new AtomicReference<>(new State<>(null, null, null));

  /** Reads the content of the file. */
  @FunctionalInterface
  public interface Parser<T> {

    /**
     * The value.
     *
     * @throws IllegalArgumentException whose message is one line with the rule and what was found
     */
    T parse(String text);
  }

  /** Result of {@link #refresh()}. */
  public sealed interface Refresh<T> {

    /** The file is as it was, or has the same problem as before. */
    record Unchanged<T>() implements Refresh<T> {}

    /** The file has changed and this is its value. */
    record Loaded<T>(T value) implements Refresh<T> {}

    /**
     * The file has a problem that was not reported before; the last good value stays.
     *
     * @param problem in one line, without the name of the file
     */
    record Rejected<T>(String problem, Exception cause) implements Refresh<T> {}
  }

  /** What distinguishes two versions of the file. */
  private record Version(FileTime modified, long bytes, @Nullable Object key) {}

  private record State<T>(
      @Nullable Version version, @Nullable T lastGood, @Nullable String problem) {}

  /**
   * Names the file; it is not read yet.
   *
   * @param mostBytes a larger file is a problem
   */
  public ReloadingFile(Path file, int mostBytes, Parser<T> parser) {
    this.file = file;
    this.mostBytes = mostBytes;
    this.parser = parser;
  }

  public Path path() {
    return file;
  }

  /** The last value that could be parsed; empty if there never was one. */
  public Optional<T> lastGood() {
    return Optional.ofNullable(state.get().lastGood());
  }

  /** Why the last good value is not the current content; empty if it is. */
  public Optional<String> problem() {
    return Optional.ofNullable(state.get().problem());
  }

  /** Reads the file if it has changed. */
  public Refresh<T> refresh() {
    State<T> before = state.get();
    Version version = null;
    try {
      version = version();
      if (version.equals(before.version())) {
        return new Refresh.Unchanged<>();
      }
      T value = parser.parse(content());
      return state.compareAndSet(before, new State<>(version, value, null))
          ? new Refresh.Loaded<>(value)
          : new Refresh.Unchanged<>();
    } catch (NoSuchFileException e) {
      return reject(before, null, "no such file", e);
    } catch (IOException e) {
      return reject(before, null, "cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      return reject(before, version, String.valueOf(e.getMessage()), e);
    }
  }

  private Refresh<T> reject(
      State<T> before, @Nullable Version version, String problem, Exception cause) {
    boolean updated = state.compareAndSet(before, new State<>(version, before.lastGood(), problem));
    return updated && !problem.equals(before.problem())
        ? new Refresh.Rejected<>(problem, cause)
        : new Refresh.Unchanged<>();
  }

  private Version version() throws IOException {
    var attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
  }

  /** A byte more than is allowed shows that the file is too large, also while it grows. */
  private String content() throws IOException {
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(mostBytes + 1);
      if (bytes.length > mostBytes) {
        throw new IllegalArgumentException("must have at most " + mostBytes + " bytes, has more");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
