package io.gpureclaimer.exporter.dump;

import io.gpureclaimer.exporter.sample.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots into a directory, and removes those that are old, or the oldest when they become
 * too many or too large together. A disk that is full, or a directory that may not be written to,
 * is one warning and nothing else. Confined to the job that writes.
 */
public final class Dumps {
  private static final Logger log = LoggerFactory.getLogger(Dumps.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofHours(1);

  /** As dcgm-exporter's: the second, and eight digits that tell it from others within it. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSSSSSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;
  private final Bounds bounds;
  private final boolean compressed;
  private Instant looked = Instant.MIN;
  private @Nullable String complaint;

  /** Bytes by name, the oldest first, as far as we know; others may remove some. */
  private final TreeMap<String, Long> kept = new TreeMap<>();

  /**
   * How much is kept.
   *
   * @param retention age at which a file is removed; zero for never
   * @param files how many there are at most
   * @param bytes how large they are at most together
   */
  public record Bounds(Duration retention, int files, long bytes) {}

  /**
   * @param directory where; made when it is missing, and not followed when it is a link
   * @param bounds how much is kept
   * @param compressed whether files are compressed with gzip
   */
  public Dumps(Path directory, Bounds bounds, boolean compressed) {
    this.directory = directory;
    this.bounds = bounds;
    this.compressed = compressed;
  }

  /** Keeps this one, and removes what is too much. */
  public void write(Snapshot snapshot) {
    try (var folder = DumpFolder.open(directory)) {
      look(folder, snapshot.at());
      write(folder, snapshot);
      while (kept.size() > bounds.files() || bytes() > bounds.bytes()) {
        String oldest = kept.firstKey();
        folder.remove(oldest);
        kept.remove(oldest);
      }
      complaint = null;
    } catch (IOException e) {
      complain(e.toString());
    }
  }

  private long bytes() {
    return kept.values().stream().mapToLong(Long::longValue).sum();
  }

  private void write(DumpFolder folder, Snapshot snapshot) throws IOException {
    String name = "metrics-gpu-" + TIME.format(snapshot.at()) + (compressed ? ".json.gz" : ".json");
    byte[] content = content(snapshot);
    OutputStream out = folder.create(name);
    try (out) {
      out.write(content);
    } catch (IOException e) {
      folder.remove(name);
      throw e;
    }
    kept.put(name, (long) content.length);
  }

  private byte[] content(Snapshot snapshot) throws IOException {
    byte[] json = SnapshotDump.json(snapshot).getBytes(StandardCharsets.UTF_8);
    if (!compressed) {
      return json;
    }
    var packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(json);
    }
    return packed.toByteArray();
  }

  /** Once an hour: what is there, without what is old. */
  private void look(DumpFolder folder, Instant now) throws IOException {
    if (now.isBefore(looked.plus(BETWEEN_LOOKS))) {
      return;
    }
    looked = now;
    kept.clear();
    for (var file : folder.files().entrySet()) {
      if (isOld(file.getValue().lastModifiedTime().toInstant(), now)) {
        folder.remove(file.getKey());
      } else {
        kept.put(file.getKey(), file.getValue().size());
      }
    }
  }

  private boolean isOld(Instant modified, Instant now) {
    return !bounds.retention().isZero() && modified.isBefore(now.minus(bounds.retention()));
  }

  private void complain(String what) {
    if (complaint == null) {
      log.warn("no dumps are written to {}: {}", directory, what);
    }
    complaint = what;
  }
}
