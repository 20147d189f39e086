package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Why one workload is judged as it is. */
@Command(
    name = "explain",
    description =
        "Print the verdict on the workload of a pod or an owner, what will happen, the rules, the"
            + " policy, and the evidence.")
final class ExplainCommand implements Callable<Integer> {
  private static final String FORMS = "NAMESPACE/POD or NAMESPACE/KIND/NAME";

  @Parameters(
      paramLabel = "NAMESPACE/[KIND/]NAME",
      arity = "0..1",
      description =
          "Which pod or owner, for example research/notebook-ada or research/deployment/web.")
  String name = "";

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description =
          "Instead of a workload: judge the records of this file or log again (- for the standard"
              + " input), and report whether the verdicts are equal. Sends no query.")
  @Nullable String record;

  @Mixin OutputFormat output = new OutputFormat();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (record != null) {
      if (!name.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "a workload and --record exclude each other, was both");
      }
      return RecordReplay.of(record);
    }
    ExplainedObject subject =
        ExplainedObject.parse(name)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        name.isEmpty()
                            ? "Missing required parameter: " + FORMS
                            : "the workload must be written " + FORMS + ", was " + name));
    return SingleRun.with(spec, report -> print(report, subject));
  }

  private int print(CycleReport report, ExplainedObject subject) {
    Optional<String> text =
        output.choose(() -> ExplainText.of(report, subject), () -> ExplainJson.of(report, subject));
    if (text.isEmpty()) {
      return ExitCode.worldIsBroken(subject.absence(report).stripTrailing());
    }
    System.out.print(text.get());
    return ExitCode.OK;
  }
}
