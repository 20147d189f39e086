package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat;
import io.gpureclaimer.reclaimer.show.PlanJson;
import io.gpureclaimer.reclaimer.show.PlanText;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What would happen now. */
@Command(
    name = "plan",
    description = "Print every workload's verdict with its reason, and what would be done now.")
final class PlanCommand implements Callable<Integer> {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Only the workloads of this namespace.")
  @Nullable String namespace;

  @Mixin OutputFormat output = new OutputFormat();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    return SingleRun.with(
        spec,
        whole -> {
          CycleReport report = namespace == null ? whole : whole.in(namespace::equals);
          System.out.print(
              output.choose(
                  () -> PlanText.of(report), () -> PlanJson.of(report, Optional.empty())));
          return ExitCode.OK;
        });
  }
}
