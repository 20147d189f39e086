package io.gpureclaimer.exporter.cli;

import java.util.Map;

/** What the command line asks for. */
public sealed interface Invocation {

  /**
   * Run the agent.
   *
   * @param properties what the flags and variables say, by property name
   * @param logFormat {@code text} or {@code json}
   */
  record Run(Map<String, Object> properties, String logFormat) implements Invocation {
    public Run {
      properties = Map.copyOf(properties);
    }
  }

  /** Print this and leave: help, or the version. */
  record Print(String text) implements Invocation {}

  /** A flag or variable cannot be honored; {@code problem} is one line for the user. */
  record Refused(String problem) implements Invocation {}
}
