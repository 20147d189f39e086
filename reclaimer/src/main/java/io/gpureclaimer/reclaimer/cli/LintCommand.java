package io.gpureclaimer.reclaimer.cli;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cli.CommandLineProgram.OutputFormat;
import io.gpureclaimer.reclaimer.cycle.StartupWait;
import io.gpureclaimer.reclaimer.lint.LintReport;
import io.gpureclaimer.reclaimer.lint.LintReport.LintFinding;
import io.gpureclaimer.reclaimer.lint.ManifestFile;
import io.gpureclaimer.reclaimer.lint.ManifestFile.MalformedManifest;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.Lint;
import io.gpureclaimer.reclaimer.policy.Lint.AnnotatedObject;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What of people's annotations does not hold as it is written. */
@Command(
    name = "lint",
    description = {
      "Check the annotations of files, or of the GPU workloads of a cluster, their "
          + "owners and their namespaces, and print problems. Writes nothing.",
      "Ends with 1 if there are mistakes; a value that is only moved to what is allowed is a note."
    })
final class LintCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "YAML or JSON, with several objects in it or one; without any, the cluster.")
  List<Path> files = List.of();

  @Mixin OutputFormat output = new OutputFormat();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    return files.isEmpty() ? ofCluster() : ofFiles();
  }

  private int ofFiles() {
    Map<Path, List<AnnotatedObject>> subjects = new LinkedHashMap<>();
    for (Path file : files) {
      try {
        subjects.put(file, ManifestFile.read(file));
      } catch (UncheckedIOException e) {
        return ExitCode.userError(String.valueOf(e.getMessage()));
      } catch (MalformedManifest e) {
        return ExitCode.worldIsBroken(String.valueOf(e.getMessage()));
      }
    }
    List<AnnotatedObject> all = subjects.values().stream().flatMap(List::stream).toList();
    Map<String, Object> properties = SingleRun.withoutEvidence(spec);
    properties.put("reclaimer.cluster", "embedded");
    return SingleRun.in(
        properties,
        context -> {
          PolicyDefaults defaults = context.getBean(JudgmentTerms.class).defaults();
          var lint = new Lint(defaults, context.getBean(Clock.class).instant(), all);
          return print(
              subjects.entrySet().stream()
                  .flatMap(
                      of ->
                          of.getValue().stream().flatMap(each -> found(of.getKey(), lint.of(each))))
                  .toList());
        });
  }

  private int ofCluster() {
    return SingleRun.in(
        SingleRun.withoutEvidence(spec),
        context -> print(found(context.getBean(StartupWait.class).plan())));
  }

  private static Stream<LintFinding> found(Path file, List<Remark> remarks) {
    return remarks.stream().map(remark -> new LintFinding(file.toString(), remark));
  }

  private static List<LintFinding> found(CycleReport report) {
    return report.judgments().stream()
        .flatMap(judgment -> judgment.policy().stream())
        .flatMap(policy -> policy.remarks().stream())
        .distinct()
        .map(remark -> new LintFinding("cluster", remark))
        .toList();
  }

  private int print(List<LintFinding> all) {
    var findings = new LintReport(all);
    System.out.print(output.choose(findings::text, findings::json));
    return findings.mistakes() == 0 ? ExitCode.OK : ExitCode.WORLD_IS_BROKEN;
  }
}
