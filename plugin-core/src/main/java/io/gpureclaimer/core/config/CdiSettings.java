package io.gpureclaimer.core.config;

import java.nio.file.Path;
import java.util.List;

/**
 * What goes into CDI specifications.
 *
 * @param hook the program on the node that hooks run
 * @param disabledHooks by name; {@code all} for all of them
 */
public record CdiSettings(Path hook, List<String> disabledHooks) {
  public CdiSettings {
    disabledHooks = List.copyOf(disabledHooks);
  }
}
