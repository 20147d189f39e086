package io.gpureclaimer.reclaimer.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Parses the arguments and runs the command; mistakes become one line. */
public final class CommandLineProgram {
  private CommandLineProgram() {}

  /** Runs it, and gives the exit code. */
  public static int run(String... args) {
    return new CommandLine(new Commands())
        .setDefaultValueProvider(new Variables(System.getenv()))
        .setParameterExceptionHandler(CommandLineProgram::refuse)
        .execute(args);
  }

  private static int refuse(ParameterException mistake, String[] args) {
    return ExitCode.userError(
        String.valueOf(mistake.getMessage()).replaceAll("\\s*\\R\\s*", "; ") + " (see --help)");
  }
}
