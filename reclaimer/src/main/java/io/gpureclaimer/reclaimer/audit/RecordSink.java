package io.gpureclaimer.reclaimer.audit;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Destination of decision records. One that cannot be written logs it once and does no harm. */
@FunctionalInterface
public interface RecordSink {

  /** Writes some records, one line each, without line feeds. */
  void write(List<String> lines);

  /** Nowhere. */
  static RecordSink off() {
    return _ -> {};
  }

  /** The program's log, by a logger of the name {@code audit}. */
  static RecordSink log() {
    Logger audit = LoggerFactory.getLogger("audit");
    return lines -> lines.forEach(audit::info);
  }

  /** A stream, such as the standard output. */
  static RecordSink stream(PrintStream stream) {
    return lines -> lines.forEach(stream::println);
  }

  /** The end of a file, which is opened each time, so that it may be rotated. */
  static RecordSink file(Path file) {
    return new ToFile(file);
  }

  /** Appends records to a file. Confined to the thread of the cycle. */
  final class ToFile implements RecordSink {
    private static final Logger log = LoggerFactory.getLogger(ToFile.class);

    private final Path file;
    private boolean failing;

    private ToFile(Path file) {
      this.file = file;
    }

    @Override
    public void write(List<String> lines) {
      try {
        Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        failing = false;
      } catch (IOException e) {
        if (!failing) {
          log.error("decisions are not recorded, {} cannot be written", file, e);
        }
        failing = true;
      }
    }
  }
}
