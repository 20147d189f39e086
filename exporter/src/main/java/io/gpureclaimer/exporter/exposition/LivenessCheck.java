package io.gpureclaimer.exporter.exposition;

import java.util.Optional;

/** Component with states from which only a restart of the container recovers. */
@FunctionalInterface
public interface LivenessCheck {

  /** Why the container has to be restarted, in one line; empty if it has not. */
  Optional<String> beyondHelp();
}
