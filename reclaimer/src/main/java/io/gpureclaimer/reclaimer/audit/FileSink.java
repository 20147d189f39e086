package io.gpureclaimer.reclaimer.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends records to a file. Confined to the thread of the cycle. */
final class FileSink implements RecordSink {
  private static final Logger log = LoggerFactory.getLogger(FileSink.class);

  private final Path file;
  private boolean failing;

  FileSink(Path file) {
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
