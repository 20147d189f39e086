package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.common.flags.FlagValue.InvalidFlag;
import io.gpureclaimer.exporter.cli.Invocation.Examine;
import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The arguments of {@code gpu-exporter doctor}. */
final class DoctorArguments {
  static final String NAME = "doctor";

  private static final String OUTPUT = "--output";
  private static final String ROOT = "--root";
  private static final String LIBRARY_VARIABLE = "GPU_EXPORTER_NVML_LIBRARY";
  private static final String TEXT = "text";
  private static final String JSON = "json";

  private final Map<String, String> environment;

  DoctorArguments(Map<String, String> environment) {
    this.environment = environment;
  }

  Invocation parse(String... args) {
    var parser = new CommandLine(grammar()).setUnmatchedOptionsArePositionalParams(false);
    try {
      ParseResult given = parser.parseArgs(args);
      return given.isUsageHelpRequested()
          ? new Print(parser.getUsageMessage())
          : new Examine(
              Path.of(setting(given, ROOT).map(DoctorArguments::folder).orElse("/")),
              library(given).map(FlagValue::path).map(Path::of),
              setting(given, OUTPUT)
                  .map(output -> output.oneOf(List.of(TEXT, JSON)))
                  .filter(JSON::equals)
                  .isPresent());
    } catch (ParameterException e) {
      return new Refused(String.valueOf(e.getMessage()));
    } catch (InvalidFlag e) {
      return new Refused(e.problem());
    }
  }

  private Optional<FlagValue> library(ParseResult given) {
    return setting(given, AgentFlags.NVML_LIBRARY)
        .or(() -> FlagValue.variable(environment, List.of(LIBRARY_VARIABLE)));
  }

  private static Optional<FlagValue> setting(ParseResult given, String name) {
    return Optional.ofNullable(given.matchedOption(name))
        .map(option -> new FlagValue(name, String.join(",", option.stringValues())));
  }

  /** A folder is read at once, so it has to exist. */
  private static String folder(FlagValue setting) {
    if (!Files.isDirectory(Path.of(setting.path()))) {
      throw setting.invalid("must be a folder that is there");
    }
    return setting.text();
  }

  private static CommandSpec grammar() {
    var spec = CommandSpec.create().name("gpu-exporter " + NAME);
    spec.usageMessage()
        .sortOptions(false)
        .description(
            "Reports what is wrong with the GPU stack of this node, and what to do. Changes nothing.",
            "Exits with 1 if there is a problem.");
    return spec.addOption(option("TEXT_OR_JSON", "text (default) or json", "-o", OUTPUT))
        .addOption(option("FOLDER", "where the node's / is mounted; default /", ROOT))
        .addOption(
            option(
                "PATH",
                "the driver's library, or its folder (" + LIBRARY_VARIABLE + ")",
                AgentFlags.NVML_LIBRARY))
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("print this and leave")
                .build());
  }

  private static OptionSpec option(String label, String help, String... names) {
    return OptionSpec.builder(names)
        .type(String.class)
        .arity("1")
        .paramLabel(label)
        .description(help)
        .build();
  }
}
