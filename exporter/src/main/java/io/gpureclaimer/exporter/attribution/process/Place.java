package io.gpureclaimer.exporter.attribution.process;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A container, as the runtime that made it named it to the kernel; or a pod, of which it cannot be
 * told which container.
 *
 * @param podUid with dashes; of a static pod, which has a hash instead, without
 * @param containerId the runtime's own, without the runtime's name; null if it cannot be told
 */
public record Place(String podUid, @Nullable String containerId) {

  /** The runtime's own id of the container; empty if it cannot be told. */
  public Optional<String> container() {
    return Optional.ofNullable(containerId);
  }
}
