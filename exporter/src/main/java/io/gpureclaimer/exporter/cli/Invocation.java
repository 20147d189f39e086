package io.gpureclaimer.exporter.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Command of the command line. */
public sealed interface Invocation {

  /**
   * Run the agent.
   *
   * @param properties what the flags and variables say, by property name
   * @param logFormat {@code text} or {@code json}
   * @param debug whether to log more
   * @param ignored the flags and variables that have no effect
   */
  record Run(Map<String, Object> properties, String logFormat, boolean debug, List<String> ignored)
      implements Invocation {
    public Run {
      properties = Map.copyOf(properties);
      ignored = List.copyOf(ignored);
    }
  }

  /**
   * Print a diagnosis of the GPU stack of this node, and exit.
   *
   * @param root where the node's {@code /} is
   * @param library the driver's, or its folder; empty for the usual places
   * @param json whether the output is JSON
   */
  record Examine(Path root, Optional<Path> library, boolean json) implements Invocation {}

  /** Remove the labels that agents wrote to Nodes, and exit. */
  record RemoveLabels() implements Invocation {}

  /** Print this text and exit: help, or the version. */
  record Print(String text) implements Invocation {}

  /** A flag or variable cannot be honored; {@code problem} is one line for the user. */
  record Refused(String problem) implements Invocation {}
}
