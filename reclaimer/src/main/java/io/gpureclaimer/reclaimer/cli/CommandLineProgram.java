package io.gpureclaimer.reclaimer.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses the arguments and runs the command. Each mistake is reported in one line. */
public final class CommandLineProgram {
  private CommandLineProgram() {}

  /** Runs the command and returns the exit code. */
  public static int run(String... args) {
    return parser(System.getenv()).execute(args);
  }

  static CommandLine parser(Map<String, String> environment) {
    var program = new CommandLine(new Commands());
    program
        .getCommandSpec()
        .usageMessage()
        .footerHeading("%n")
        .footer(
            "A flag wins over its environment variable. 'gpu-reclaimer COMMAND --help' explains"
                + " its flags.");
    for (CommandLine command : program.getSubcommands().values()) {
      CommonFlags.addTo(command.getCommandSpec());
      command.getCommandSpec().mixinStandardHelpOptions(true);
    }
    program.getCommandSpec().mixinStandardHelpOptions(true);
    return program
        .setDefaultValueProvider(new EnvironmentVariables(environment))
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

  /** The program without a command, which reports the commands; they inherit its attributes. */
  @Command(
      name = "gpu-reclaimer",
      sortOptions = false,
      usageHelpAutoWidth = true,
      abbreviateSynopsis = true,
      versionProvider = ProgramVersion.class,
      subcommands = {
        RunCommand.class,
        PlanCommand.class,
        ExplainCommand.class,
        BacktestCommand.class,
        ReportCommand.class,
        SimulateCommand.class,
        LintCommand.class,
        RestoreCommand.class
      },
      scope = ScopeType.INHERIT,
      description = "Finds idle GPU workloads, and reclaims their GPUs.")
  static final class Commands implements Runnable {
    @Spec CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
      throw new ParameterException(
          spec.commandLine(),
          "expected a command: run, plan, explain, backtest, report, simulate, lint or restore");
    }
  }

  /** The version in the manifest of the jar; {@code development} without one. */
  static String version() {
    return "gpu-reclaimer "
        + Optional.ofNullable(CommandLineProgram.class.getPackage().getImplementationVersion())
            .orElse("development");
  }

  static final class ProgramVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {version()};
    }
  }

  /** The flag that chooses between text and JSON. */
  static final class OutputFormat {
    @Option(
        names = {"-o", "--output"},
        paramLabel = "FORMAT",
        description = "text (default) or json.")
    TextOrJson format = TextOrJson.text;

    enum TextOrJson {
      text,
      json
    }

    <T> T choose(Supplier<T> text, Supplier<T> json) {
      return switch (format) {
        case text -> text.get();
        case json -> json.get();
      };
    }
  }

  /**
   * Environment variables as the defaults of flags: {@code GPU_RECLAIMER_IDLE_AFTER} of {@code
   * --idle-after}. An empty variable counts as not set.
   */
  static final class EnvironmentVariables implements IDefaultValueProvider {
    private static final String PREFIX = "GPU_RECLAIMER_";
    private static final Map<String, String> OTHERWISE = Map.of("--address", PREFIX + "LISTEN");
    private static final Set<String> NONE =
        Set.of(
            "--help",
            "--version",
            "--kubeconfig",
            "--context",
            "--record",
            "--output",
            "--since",
            "--until",
            "--step",
            "--namespace",
            "--as-if",
            "--limit",
            "--defrag",
            "--nodes",
            "--node-list",
            "--pod-list",
            "--workloads",
            "--duty-cycles",
            "--from",
            "--skip-invalid",
            "--length",
            "--seed",
            "--seeds",
            "--policies",
            "--html",
            "--all");

    private final Map<String, String> environment;

    EnvironmentVariables(Map<String, String> environment) {
      this.environment = Map.copyOf(environment);
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
      return argument instanceof OptionSpec option
          ? variable(option.longestName())
              .map(environment::get)
              .filter(v -> !v.isBlank())
              .orElse(null)
          : null;
    }

    static Optional<String> variable(String flag) {
      return NONE.contains(flag)
          ? Optional.empty()
          : Optional.of(
              OTHERWISE.getOrDefault(
                  flag, PREFIX + flag.substring(2).replace('-', '_').toUpperCase(Locale.ROOT)));
    }
  }
}
