package io.gpureclaimer.exporter.attribution.process;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pods and containers of a process, as the kernel reports them. */
public sealed interface ProcessLocation {

  /**
   * In these pods and containers, the outermost first; in none, if the process belongs to no pod.
   *
   * @param places one for each cluster that the process is a part of
   */
  record In(List<ContainerRef> places) implements ProcessLocation {
    public In {
      places = List.copyOf(places);
    }
  }

  /** The process has ended. */
  record Gone() implements ProcessLocation {}

  /** The agent lacks the permission; {@code reason} is one line for a human. */
  record Hidden(String reason) implements ProcessLocation {}

  /**
   * A container by its runtime's own id; or a pod, if the container is unknown.
   *
   * @param podUid with dashes; of a static pod, which has a hash instead, without
   * @param containerId the runtime's own, without the runtime's name; null if unknown
   */
  record ContainerRef(String podUid, @Nullable String containerId) {

    /** The runtime's own id of the container; empty if unknown. */
    public Optional<String> container() {
      return Optional.ofNullable(containerId);
    }
  }
}
