package io.gpureclaimer.reclaimer.audit;

import java.io.PrintStream;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The places where records can go. */
public final class RecordSinks {
  private static final Logger audit = LoggerFactory.getLogger("audit");

  private RecordSinks() {}

  /** Nowhere. */
  public static RecordSink off() {
    return _ -> {};
  }

  /** The program's log, by a logger of the name {@code audit}. */
  public static RecordSink log() {
    return lines -> lines.forEach(audit::info);
  }

  /** A stream, such as the standard output. */
  public static RecordSink stream(PrintStream stream) {
    return lines -> lines.forEach(stream::println);
  }

  /** The end of a file, which is opened anew each time, so that it may be rotated. */
  public static RecordSink file(Path file) {
    return new FileSink(file);
  }
}
