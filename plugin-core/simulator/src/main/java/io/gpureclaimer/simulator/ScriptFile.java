package io.gpureclaimer.simulator;

import io.gpureclaimer.common.files.ReloadingFile;
import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Script in a YAML file, read again whenever the file changes. A file that is missing or wrong is
 * one warning and leaves the last good script in force. Safe for several threads.
 *
 * <pre>{@code
 * - gpu: 0                     # index
 *   utilization: 85            # percent, wanders by five unless it is 0 or 100
 *   memory-used-mib: 40960
 * - gpu: 3
 *   fault: lost                # lost, gone, hang, power-unsupported, nvlink-down or inforom-corrupt
 *   recovery-action: 1         # NVML's number, as field 230 reports it
 * }</pre>
 */
public final class ScriptFile implements Supplier<Script> {
  private static final Logger log = LoggerFactory.getLogger(ScriptFile.class);
  private static final int MOST_BYTES = 1 << 20;

  private final ReloadingFile<Script> file;

  /**
   * Names the file; nothing is read yet.
   *
   * @param gpus how many GPUs the node has: an entry for another one is a mistake
   */
  public ScriptFile(Path file, int gpus) {
    this.file =
        new ReloadingFile<>(
            file, MOST_BYTES, text -> ScriptYaml.parse(file.getFileName().toString(), text, gpus));
  }

  /** The last good script. */
  @Override
  public Script get() {
    switch (file.refresh()) {
      case Refresh.Unchanged<Script>() -> {}
      case Refresh.Loaded<Script> _ -> log.info("running the script in {}", file.path());
      case Refresh.Rejected<Script>(var problem, var cause) -> {
        log.warn("{}: {}; the last valid script stays in use", file.path(), problem);
        log.debug("why the script was refused", cause);
      }
    }
    return file.lastGood().orElse(Script.IDLE);
  }
}
