package io.gpureclaimer.reclaimer.evidence.prometheus;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;

/**
 * The bytes of an answer as they come, uncompressed and not without end; remembers the first of
 * them for a message. Confined to the thread that reads.
 */
final class AnswerBody extends FilterInputStream {
  private static final int REMEMBERED = 400;

  private final long largest;
  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream(REMEMBERED);
  private long count;

  private AnswerBody(InputStream in, long largest) {
    super(in);
    this.largest = largest;
  }

  /**
   * @param largest bytes to read, uncompressed; one more is an {@link IOException}
   */
  static AnswerBody of(HttpResponse<InputStream> response, long largest) throws IOException {
    String encoding = response.headers().firstValue("Content-Encoding").orElse("identity");
    InputStream plain =
        switch (encoding) {
          case "identity" -> response.body();
          case "gzip", "x-gzip" -> new GZIPInputStream(response.body());
          default -> throw new IOException("content encoding " + encoding + ", not asked for");
        };
    return new AnswerBody(plain, largest);
  }

  /** How the answer begins, as text. */
  String beginning() {
    return beginning.toString(StandardCharsets.UTF_8);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    if (read > 0) {
      count += read;
      beginning.write(into, offset, Math.min(read, REMEMBERED - beginning.size()));
    }
    if (count > largest) {
      throw new IOException("more than " + largest + " bytes");
    }
    return read;
  }
}
