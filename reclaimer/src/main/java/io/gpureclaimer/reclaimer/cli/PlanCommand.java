package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.show.PlanJson;
import io.gpureclaimer.reclaimer.show.PlanText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What would happen now. */
@Command(
    name = "plan",
    sortOptions = false,
    usageHelpAutoWidth = true,
    abbreviateSynopsis = true,
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    description = "Print every workload's verdict with its reason, and what would be done now.")
final class PlanCommand implements Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text (default) or json.")
  OutputFormat output = OutputFormat.text;

  @Mixin Settings settings = new Settings();

  @Override
  public Integer call() {
    return OneLook.with(
        settings,
        report -> {
          System.out.print(
              switch (output) {
                case text -> PlanText.of(report);
                case json -> PlanJson.of(report);
              });
          return ExitCode.OK;
        });
  }
}
