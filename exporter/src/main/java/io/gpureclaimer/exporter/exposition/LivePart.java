package io.gpureclaimer.exporter.exposition;

import java.util.Optional;

/** A part of the agent that may come into a state out of which only a new container helps. */
@FunctionalInterface
public interface LivePart {

  /** Why the container has to be started anew, in one line for a human; empty if it has not. */
  Optional<String> beyondHelp();
}
