package io.gpureclaimer.exporter.counters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file, read whole at each look: its content tells that it has changed, whatever its time stamp
 * and the symbolic links on the way to it say.
 */
public final class CountersFile implements CountersSource {
  static final int LARGEST_BYTES = 1024 * 1024;

  private final Path file;

  /** Reads nothing yet. */
  public CountersFile(Path file) {
    this.file = file;
  }

  @Override
  public String name() {
    return "counters file " + file;
  }

  @Override
  public boolean isPolled() {
    return true;
  }

  @Override
  public Content read() {
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LARGEST_BYTES + 1);
      return bytes.length > LARGEST_BYTES
          ? new Content.Missing("must be at most " + LARGEST_BYTES / 1024 + " KiB, was more")
          : new Content.Found(decoded(bytes));
    } catch (NoSuchFileException _) {
      return new Content.Missing("is not there");
    } catch (CharacterCodingException _) {
      return new Content.Missing("must be UTF-8, was not");
    } catch (IOException e) {
      return new Content.Missing("cannot be read: " + e);
    }
  }

  private static String decoded(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
