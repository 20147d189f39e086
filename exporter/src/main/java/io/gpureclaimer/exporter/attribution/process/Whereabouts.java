package io.gpureclaimer.exporter.attribution.process;

import java.util.List;

/** What the kernel tells of where a process is. */
public sealed interface Whereabouts {

  /**
   * In these pods and containers, the outermost first; in none, if the process belongs to no pod.
   *
   * @param places one for each cluster that the process is a part of
   */
  record In(List<Place> places) implements Whereabouts {
    public In {
      places = List.copyOf(places);
    }
  }

  /** It is not there any more. */
  record Gone() implements Whereabouts {}

  /** We are not allowed to know; {@code reason} is one line for a human. */
  record Hidden(String reason) implements Whereabouts {}
}
