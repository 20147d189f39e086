package io.gpureclaimer.exporter.exposition;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The bytes of one answer, rendered once and served to everybody who asks. */
public final class Scrape {
  /** What {@link #text()} is. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final byte[] text;
  private byte @Nullable [] gzipped;

  Scrape(byte[] text) {
    this.text = text;
  }

  /** The text format. Not to be written to. */
  public byte[] text() {
    return text;
  }

  /**
   * The same, compressed at the first demand. Not to be written to.
   *
   * <p>Synchronized because two scrapers that ask first and at once must not both pay for it.
   */
  public synchronized byte[] gzipped() {
    var known = gzipped;
    if (known == null) {
      known = gzip(text);
      gzipped = known;
    }
    return known;
  }

  private static byte[] gzip(byte[] text) {
    var out = new ByteArrayOutputStream(text.length / 8);
    try (var gzip = new FastGzip(out)) {
      gzip.write(text);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written to", e);
    }
    return out.toByteArray();
  }

  /** A third of the default level's time for a few per cent more bytes. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
