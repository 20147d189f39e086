package io.gpureclaimer.common.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
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
  private final CodingErrorAction notUtf8;
  private final Parser<T> parser;
  private final AtomicReference<State<T>> state =
      new AtomicReference<>(new State<>(null, null, null, null));

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

  /** Result of reading the file. */
  public sealed interface Refresh<T> {

    /** The file has the same value or the same problem as before. */
    record Unchanged<T>() implements Refresh<T> {}

    /** The file has changed and this is its value. */
    record Loaded<T>(T value) implements Refresh<T> {}

    /**
     * The file has a problem that was not reported before; the last good value stays.
     *
     * @param problem in one line, without the name of the file
     */
    record Rejected<T>(String problem, @Nullable Exception cause) implements Refresh<T> {}
  }

  /**
   * What distinguishes two versions of the file. A program can set the time of modification, but
   * not that of the change of the inode.
   */
  private record FileVersion(Map<String, Object> attributes) {
    static FileVersion of(Path file) throws IOException {
      return new FileVersion(
          Files.readAttributes(file, "unix:ctime,lastModifiedTime,size,fileKey"));
    }
  }

  private enum When {
    CHANGED,
    SETTLED,
    NOW
  }

  /**
   * @param seen the version at the last refresh; null if there was none
   * @param version that was parsed last; null if it could not be read
   */
  private record State<T>(
      @Nullable FileVersion seen,
      @Nullable FileVersion version,
      @Nullable T lastGood,
      @Nullable String problem) {}

  /**
   * Names the file; it is not read yet. Bytes that are not UTF-8 are replaced.
   *
   * @param mostBytes a larger file is a problem
   */
  public ReloadingFile(Path file, int mostBytes, Parser<T> parser) {
    this(file, mostBytes, CodingErrorAction.REPLACE, parser);
  }

  /**
   * Names the file; it is not read yet.
   *
   * @param mostBytes a larger file is a problem
   * @param notUtf8 whether bytes that are not UTF-8 are a problem
   */
  public ReloadingFile(Path file, int mostBytes, CodingErrorAction notUtf8, Parser<T> parser) {
    this.file = file;
    this.mostBytes = mostBytes;
    this.notUtf8 = notUtf8;
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
    return read(When.CHANGED);
  }

  /**
   * Reads the file if it has changed and was the same at the previous call, because a program may
   * still be writing it.
   */
  public Refresh<T> refreshSettled() {
    return read(When.SETTLED);
  }

  /** Reads the file whether or not it has changed, and reports a problem again. */
  public Refresh<T> reload() {
    return read(When.NOW);
  }

  private Refresh<T> read(When when) {
    State<T> before = state.get();
    FileVersion version = null;
    try {
      version = FileVersion.of(file);
      boolean settled = version.equals(before.seen());
      boolean changed = !version.equals(before.version());
      boolean due =
          switch (when) {
            case CHANGED -> changed;
            case SETTLED -> changed && settled;
            case NOW -> true;
          };
      if (!due) {
        return settled ? new Refresh.Unchanged<>() : see(before, version);
      }
      T value = parser.parse(content());
      boolean same =
          when != When.NOW && before.problem() == null && value.equals(before.lastGood());
      return state.compareAndSet(before, new State<>(version, version, value, null)) && !same
          ? new Refresh.Loaded<>(value)
          : new Refresh.Unchanged<>();
    } catch (NoSuchFileException e) {
      return unreadable(before, when, "no such file", e);
    } catch (CharacterCodingException e) {
      return reject(before, version, when, "must be UTF-8, is not", e);
    } catch (IOException e) {
      return unreadable(before, when, "cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      return reject(before, version, when, String.valueOf(e.getMessage()), e);
    }
  }

  private Refresh<T> see(State<T> before, @Nullable FileVersion version) {
    state.compareAndSet(
        before, new State<>(version, before.version(), before.lastGood(), before.problem()));
    return new Refresh.Unchanged<>();
  }

  private Refresh<T> unreadable(State<T> before, When when, String problem, IOException cause) {
    return when == When.SETTLED && before.seen() != null
        ? see(before, null)
        : reject(before, null, when, problem, cause);
  }

  private Refresh<T> reject(
      State<T> before, @Nullable FileVersion version, When when, String problem, Exception cause) {
    var after = new State<>(version, version, before.lastGood(), problem);
    boolean reported = when != When.NOW && problem.equals(before.problem());
    return state.compareAndSet(before, after) && !reported
        ? new Refresh.Rejected<>(problem, cause)
        : new Refresh.Unchanged<>();
  }

  /** A byte more than is allowed shows that the file is too large, also while it grows. */
  private String content() throws IOException {
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(mostBytes + 1);
      if (bytes.length > mostBytes) {
        throw new IllegalArgumentException("must have at most " + mostBytes + " bytes, has more");
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(notUtf8)
          .onUnmappableCharacter(notUtf8)
          .decode(ByteBuffer.wrap(bytes))
          .toString();
    }
  }
}
