package io.gpureclaimer.core.allocation;

import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What exists on the node besides devices.
 *
 * @param deviceFiles whether there is such a device file, named as a container sees it: {@code
 *     /dev/nvidiactl}
 * @param cdiClasses the classes of CDI names for which there is a specification, such as {@code
 *     gds}
 */
public record Surroundings(Predicate<Path> deviceFiles, Set<String> cdiClasses) {
  public Surroundings {
    cdiClasses = Set.copyOf(cdiClasses);
  }
}
