package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cli.ReportCommand.Format;
import io.gpureclaimer.reclaimer.show.DefragJson;
import io.gpureclaimer.reclaimer.show.DefragText;
import io.gpureclaimer.reclaimer.show.PlanJson;
import io.gpureclaimer.reclaimer.show.PlanText;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

  @Option(
      names = "--defrag",
      description =
          "Propose moves of workloads to other nodes, by which fewer free GPUs and MIG devices are"
              + " fragmented. Nothing is moved.")
  boolean defrag;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text (default) or json; with --defrag also csv.")
  Format output = Format.text;

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (output == Format.csv && !defrag) {
      return ExitCode.userError("--output csv needs --defrag");
    }
    return SingleRun.with(
        spec,
        whole -> {
          CycleReport report = namespace == null ? whole : whole.in(namespace::equals);
          System.out.print(defrag ? moves(report) : plan(report));
          return ExitCode.OK;
        });
  }

  private String plan(CycleReport report) {
    return switch (output) {
      case json -> PlanJson.of(report, Optional.empty());
      case text, csv -> PlanText.of(report);
    };
  }

  private String moves(CycleReport report) {
    return switch (output) {
      case text -> DefragText.of(report);
      case json -> DefragJson.of(report);
      case csv -> DefragText.csv(report);
    };
  }
}
