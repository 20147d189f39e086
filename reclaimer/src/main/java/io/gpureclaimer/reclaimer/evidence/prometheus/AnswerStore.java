package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Complete answers about ranges of the past, one compressed file for each in a folder, so that a
 * long series of queries continues after an interruption. Used by one program at a time.
 */
public final class AnswerStore {
  private final Path folder;

  /**
   * @param folder that exists
   */
  public AnswerStore(Path folder) {
    this.folder = folder;
  }

  /** The answer to a request that was asked before; empty if it was not, or not to its end. */
  Optional<InputStream> open(String request) throws IOException {
    Path file = file(request);
    return Files.exists(file)
        ? Optional.of(new GZIPInputStream(Files.newInputStream(file)))
        : Optional.empty();
  }

  /** The same answer, of which everything that is read is written down as well. */
  Recording record(String request, InputStream answer) throws IOException {
    Path unfinished = folder.resolve(name(request) + ".part");
    return new Recording(
        answer, new GZIPOutputStream(Files.newOutputStream(unfinished)), unfinished, file(request));
  }

  private Path file(String request) {
    return folder.resolve(name(request) + ".json.gz");
  }

  private static String name(String request) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(request.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** An answer that is written down while it is read. Confined to the thread that reads. */
  static final class Recording extends FilterInputStream {
    private final OutputStream into;
    private final Path unfinished;
    private final Path file;

    private Recording(InputStream answer, OutputStream into, Path unfinished, Path file) {
      super(answer);
      this.into = into;
      this.unfinished = unfinished;
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      if (read > 0) {
        into.write(buffer, offset, read);
      }
      return read;
    }

    /** Keeps the answer, which was read to its end. */
    void keep() throws IOException {
      into.close();
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
      into.close();
      super.close();
    }
  }
}
