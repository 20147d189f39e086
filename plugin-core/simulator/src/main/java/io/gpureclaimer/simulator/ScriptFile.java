package io.gpureclaimer.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A script in a YAML file, read again whenever the file changes. A file that is missing or bad is
 * one warning and leaves the last good script in force. Safe for several threads.
 *
 * <pre>{@code
 * - gpu: 0                     # index
 *   utilization: 85            # percent, wanders by five unless it is 0 or 100
 *   memory-used-mib: 40960
 * - gpu: 3
 *   fault: lost                # lost, gone, hang, power-unsupported, nvlink-down or inforom-corrupt
 *   recovery-action: 1         # NVML's number, as field 230 tells it
 * }</pre>
 */
public final class ScriptFile implements Supplier<Script> {
  private static final Logger log = LoggerFactory.getLogger(ScriptFile.class);

  private final Path file;
  private final int gpus;
  private final AtomicReference<Seen> seen = new AtomicReference<>(new Seen(null, Script.IDLE));

  /** What tells one state of the file from another. */
  private record Stamp(FileTime modified, long bytes, Optional<Object> key) {
    static final Stamp MISSING = new Stamp(FileTime.fromMillis(0), 0, Optional.empty());
  }

  private record Seen(@Nullable Stamp stamp, Script script) {}

  /**
   * Names the file; nothing is read yet.
   *
   * @param gpus how many GPUs the node has: an entry for another one is a mistake
   */
  public ScriptFile(Path file, int gpus) {
    this.file = file;
    this.gpus = gpus;
  }

  /** The last good script. */
  @Override
  public Script get() {
    Seen before = seen.get();
    Stamp stamp = stamp();
    if (stamp.equals(before.stamp())) {
      return before.script();
    }
    try {
      Script script = ScriptYaml.parse(Files.readString(file), gpus);
      if (seen.compareAndSet(before, new Seen(stamp, script))) {
        log.info("playing the script in {}", file);
      }
    } catch (IOException e) {
      keep(before, stamp, "the file must be readable text, was not: " + e, e);
    } catch (BadScript e) {
      keep(before, stamp, String.valueOf(e.getMessage()), e);
    }
    return seen.get().script();
  }

  private void keep(Seen before, Stamp stamp, String why, Exception cause) {
    if (seen.compareAndSet(before, new Seen(stamp, before.script()))) {
      log.warn("{}: {}; the last good script stays in force", file, why);
      log.debug("why the script was refused", cause);
    }
  }

  private Stamp stamp() {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(
          attributes.lastModifiedTime(),
          attributes.size(),
          Optional.ofNullable(attributes.fileKey()));
    } catch (IOException _) {
      return Stamp.MISSING;
    }
  }
}
