package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.exporter.cli.Invocation.Print;
import io.gpureclaimer.exporter.cli.Invocation.Refused;
import io.gpureclaimer.exporter.cli.Invocation.RemoveLabels;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The arguments of {@code gpu-exporter remove-labels}. */
final class RemoveLabelsArguments {
  static final String NAME = "remove-labels";

  private RemoveLabelsArguments() {}

  static Invocation parse(String... args) {
    var parser = new CommandLine(grammar()).setUnmatchedOptionsArePositionalParams(false);
    try {
      return parser.parseArgs(args).isUsageHelpRequested()
          ? new Print(parser.getUsageMessage())
          : new RemoveLabels();
    } catch (ParameterException e) {
      return new Refused(String.valueOf(e.getMessage()));
    }
  }

  private static CommandSpec grammar() {
    var spec = CommandSpec.create().name("gpu-exporter " + NAME);
    spec.usageMessage()
        .description(
            "Removes the labels that agents wrote to Nodes, from all Nodes of the cluster.",
            "Agents that still label nodes write them again. Finds the cluster as kubectl does.",
            "Exits with 1 if a Node could not be written.");
    return spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("print this and leave")
            .build());
  }
}
