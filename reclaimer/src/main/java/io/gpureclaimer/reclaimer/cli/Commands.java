package io.gpureclaimer.reclaimer.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program without a command: it says which there are. */
@Command(
    name = "gpu-reclaimer",
    sortOptions = false,
    usageHelpAutoWidth = true,
    abbreviateSynopsis = true,
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    subcommands = {
      RunCommand.class,
      PlanCommand.class,
      ExplainCommand.class,
      BacktestCommand.class,
      LintCommand.class
    },
    description = "Tells which GPU workloads are idle, and gives their GPUs back.",
    footerHeading = "%n",
    footer =
        "A flag wins over its environment variable. 'gpu-reclaimer COMMAND --help' tells more.")
public final class Commands implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  Commands() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "expected a command: run, plan, explain, backtest or lint");
  }
}
