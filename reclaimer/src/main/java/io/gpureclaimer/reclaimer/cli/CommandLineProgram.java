package io.gpureclaimer.reclaimer.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses the arguments and runs the command; mistakes become one line. */
public final class CommandLineProgram {
  private CommandLineProgram() {}

  /** Runs it, and gives the exit code. */
  public static int run(String... args) {
    return parser(System.getenv()).execute(args);
  }

  static CommandLine parser(Map<String, String> environment) {
    return new CommandLine(new Commands())
        .setDefaultValueProvider(new Variables(environment))
        .setParameterExceptionHandler(CommandLineProgram::refuse);
  }

  private static int refuse(ParameterException mistake, String[] args) {
    return ExitCode.userError(oneLine(words(mistake)) + " (see --help)");
  }

  private static String words(ParameterException mistake) {
    if (!(mistake instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(mistake.getMessage());
    }
    String first = unmatched.getUnmatched().getFirst();
    String kind =
        unmatched.isUnknownOption()
            ? "unknown option "
            : unmatched.getCommandLine().getSubcommands().isEmpty()
                ? "unexpected argument "
                : "unknown command ";
    return kind
        + first
        + unmatched.getSuggestions().stream()
            .findFirst()
            .map(nearest -> "; did you mean " + nearest + "?")
            .orElse("");
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", "; ");
  }
}
