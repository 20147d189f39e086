package io.gpureclaimer.exporter.dump;

import io.gpureclaimer.exporter.sample.Snapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots into a directory, and removes what has become old there. A disk that is full, or
 * a directory that may not be written to, is one warning and nothing else. Confined to the job that
 * writes.
 */
public final class Dumps {
  private static final Logger log = LoggerFactory.getLogger(Dumps.class);
  private static final String OURS = "metrics-gpu-*.json{,.gz}";
  private static final Duration BETWEEN_PURGES = Duration.ofHours(1);

  /** As dcgm-exporter's: the second, and eight digits that tell it from others within it. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSSSSSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;
  private final Duration retention;
  private final boolean compressed;
  private Instant purged = Instant.MIN;
  private @Nullable String complaint;

  /**
   * @param directory where; made when it is missing
   * @param retention age at which a file is removed; zero for never
   * @param compressed whether files are compressed with gzip
   */
  public Dumps(Path directory, Duration retention, boolean compressed) {
    this.directory = directory;
    this.retention = retention;
    this.compressed = compressed;
  }

  /** Keeps this one, and now and then removes old ones. */
  public void write(Snapshot snapshot) {
    try {
      Files.createDirectories(directory);
      purge(snapshot.at());
      writeTo(directory.resolve(nameOf(snapshot.at())), snapshot);
      complaint = null;
    } catch (IOException e) {
      complain(e.toString());
    } catch (DirectoryIteratorException e) {
      complain(String.valueOf(e.getCause()));
    }
  }

  private String nameOf(Instant at) {
    return "metrics-gpu-" + TIME.format(at) + (compressed ? ".json.gz" : ".json");
  }

  private void writeTo(Path file, Snapshot snapshot) throws IOException {
    byte[] json = SnapshotDump.json(snapshot).getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = Files.newOutputStream(file);
        OutputStream packed = compressed ? new GZIPOutputStream(out) : out) {
      packed.write(json);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  private void purge(Instant now) throws IOException {
    if (retention.isZero() || now.isBefore(purged.plus(BETWEEN_PURGES))) {
      return;
    }
    purged = now;
    try (var files = Files.newDirectoryStream(directory, OURS)) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(retention))) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private void complain(String what) {
    if (complaint == null) {
      log.warn("no dumps are written to {}: {}", directory, what);
    }
    complaint = what;
  }
}
