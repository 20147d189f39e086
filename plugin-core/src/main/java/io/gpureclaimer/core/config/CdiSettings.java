package io.gpureclaimer.core.config;

import java.nio.file.Path;
import java.util.List;

/**
 * What goes into CDI specifications.
 *
 * @param hook the program on the node that hooks run
 * @param featureFlags of NVIDIA's container toolkit
 * @param disabledHooks by name; {@code all} for all of them
 */
public record CdiSettings(Path hook, List<String> featureFlags, List<String> disabledHooks) {
  public CdiSettings {
    featureFlags = List.copyOf(featureFlags);
    disabledHooks = List.copyOf(disabledHooks);
  }
}
