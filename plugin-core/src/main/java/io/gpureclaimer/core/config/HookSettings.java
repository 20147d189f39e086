package io.gpureclaimer.core.config;

import java.nio.file.Path;
import java.util.List;

/**
 * What CDI specifications have NVIDIA's hook program do.
 *
 * @param program on the node
 * @param disabled by name; {@code all} for all of them
 */
public record HookSettings(Path program, List<String> disabled) {
  public HookSettings {
    disabled = List.copyOf(disabled);
  }
}
