package io.gpureclaimer.exporter.exposition;

import io.gpureclaimer.exporter.exposition.text.TextBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One answer, in the form that is asked for: made at the first demand, and the same for everybody
 * who asks later. What nobody asks for is never made.
 *
 * <p>Synchronized because two scrapers that ask first and at once must not both pay for it.
 */
public final class RenderedScrape {
  /** What {@link #text()} is. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** What {@link #text()} is of {@link LatestSnapshot#openMetrics()}. */
  public static final String OPENMETRICS_TYPE =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private final Written written;
  private byte @Nullable [] text;
  private byte @Nullable [] gzipped;

  /** A text that is written when it is needed, and holds only as long as it is being looked at. */
  @FunctionalInterface
  interface Written {
    /** What is made of the text. */
    byte[] as(Function<TextBuffer, byte[]> form);
  }

  RenderedScrape(Written written) {
    this.written = written;
  }

  /** As it was written. Not to be written to. */
  public synchronized byte[] text() {
    var known = text;
    if (known == null) {
      known = written.as(TextBuffer::toByteArray);
      text = known;
    }
    return known;
  }

  /** The same, compressed. Not to be written to. */
  public synchronized byte[] gzipped() {
    var known = gzipped;
    if (known == null) {
      known = written.as(RenderedScrape::gzip);
      gzipped = known;
    }
    return known;
  }

  private static byte[] gzip(TextBuffer text) {
    var out = new ByteArrayOutputStream(text.length() / 8);
    try (var gzip = new FastGzip(out)) {
      text.writeTo(gzip);
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
