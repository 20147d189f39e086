package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainText;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Why one pod is judged as it is. */
@Command(
    name = "explain",
    description =
        "Print the verdict on one pod, what will happen, the rules, the policy, and the evidence.")
final class ExplainCommand implements Callable<Integer> {
  private static final Pattern FORM = Pattern.compile("[^/\\s]+/[^/\\s]+");

  @Parameters(paramLabel = "NAMESPACE/POD", arity = "0..1", description = "Which pod.")
  String pod = "";

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description =
          "Instead of a pod: judge again what is recorded in this file of records or log (- for the"
              + " standard input), and say whether the verdicts are the same. Asks nobody.")
  @Nullable String record;

  @Mixin OutputFormat output = new OutputFormat();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (record != null) {
      if (!pod.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "a pod and --record exclude each other, was both");
      }
      return RecordReplay.of(record);
    }
    if (pod.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "Missing required parameter: 'NAMESPACE/POD'");
    }
    if (!FORM.matcher(pod).matches()) {
      throw new ParameterException(
          spec.commandLine(), "the pod must be written NAMESPACE/POD, was " + pod);
    }
    return SingleRun.with(spec, this::print);
  }

  private int print(CycleReport report) {
    int slash = pod.indexOf('/');
    String namespace = pod.substring(0, slash);
    String name = pod.substring(slash + 1);
    Optional<String> text =
        output.choose(
            () -> ExplainText.of(report, namespace, name),
            () -> ExplainJson.of(report, namespace, name));
    if (text.isEmpty()) {
      return ExitCode.worldIsBroken(pod + " requests no GPU or is not there");
    }
    System.out.print(text.get());
    return ExitCode.OK;
  }
}
