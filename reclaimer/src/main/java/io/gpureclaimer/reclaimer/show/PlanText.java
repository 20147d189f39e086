package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.evidence.Evidence.UnknownCause;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.plan.BreakerReason;
import io.gpureclaimer.reclaimer.plan.CircuitBreaker;
import io.gpureclaimer.reclaimer.plan.FloorStatus;
import io.gpureclaimer.reclaimer.plan.PendingStatus;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A whole report: every workload with its verdict, what is planned now, and what came of it. */
public final class PlanText {
  private PlanText() {}

  /** Lines, each ended by a line feed. */
  public static String of(CycleReport report) {
    var text = new StringBuilder();
    blindness(report.observation()).ifPresent(line -> text.append(line).append("\n\n"));
    breaker(report.breaker()).forEach(line -> text.append(line).append("\n\n"));
    text.append(workloads(report)).append('\n').append(steps(report));
    text.append(pending(report));
    text.append(floors(report));
    text.append(results(report.results()));
    text.append(reclaimed(report));
    List<String> remarks = remarks(report);
    if (!remarks.isEmpty()) {
      text.append("\nREMARKS\n");
      remarks.forEach(remark -> text.append("  ").append(remark).append('\n'));
    }
    return text.toString();
  }

  private static String pending(CycleReport report) {
    List<PendingStatus> units = report.plan().pending();
    if (units.isEmpty()) {
      return "";
    }
    var table = new Table("NAMESPACE", "PENDING", "GPUS", "SINCE", "OUTCOME", "REASON");
    for (PendingStatus unit : units) {
      table.add(
          unit.namespace(),
          unit.name(),
          inBrief(unit),
          unit.since().map(PlanText::seconds).orElse("-"),
          unit.outcome().code(),
          reason(unit));
    }
    return "\n"
        + table.text()
        + report.plan().fairness().summary().map(words -> "Fairness: " + words + "\n").orElse("");
  }

  private static String floors(CycleReport report) {
    if (report.plan().floors().isEmpty()) {
      return "";
    }
    var table = new Table("KEEP FREE", "NODES", "SINCE", "OUTCOME", "REASON");
    for (FloorStatus each : report.plan().floors()) {
      table.add(
          each.floor().amount(),
          String.valueOf(each.nodes()),
          each.since().map(PlanText::seconds).orElse("-"),
          each.outcome().code(),
          each.sentence());
    }
    return "\n" + table.text();
  }

  /** A floor in one line. */
  static String floor(FloorStatus status) {
    return status.floor().amount() + "; " + status.outcome().code() + ": " + status.sentence();
  }

  /** The number alone for whole GPUs, as the column says. */
  private static String inBrief(PendingStatus unit) {
    return unit.requested().keySet().equals(Set.of(ResourceNames.GPU))
        ? String.valueOf(unit.gpus())
        : unit.amount();
  }

  /** A pending unit in one line. */
  static String pending(PendingStatus unit) {
    return unit.amount()
        + unit.since().map(since -> " since " + seconds(since)).orElse("")
        + unit.group().map(group -> ", for all pods of " + group).orElse("")
        + "; "
        + unit.outcome().code()
        + ": "
        + reason(unit);
  }

  private static String reason(PendingStatus unit) {
    return unit.sentence()
        + unit.expectedLossGpuMinutes()
            .map(gpuMinutes -> "; expected loss " + gpuMinutes + " GPU-minutes")
            .orElse("");
  }

  private static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String reclaimed(CycleReport report) {
    List<Reclamation> unfinished =
        report.cluster().reclamations().orElse(List.of()).stream()
            .filter(
                record ->
                    record.status().filter(progress -> !progress.state().isFinal()).isPresent())
            .toList();
    return unfinished.isEmpty()
        ? ""
        : "\n"
            + ReclamationTable.of(unfinished, report.at())
            + "To restore one: gpu-reclaimer restore NAMESPACE/KIND/NAME\n";
  }

  private static Optional<String> blindness(Observation observation) {
    return switch (observation) {
      case Observation.Blind(String reason) ->
          Optional.of("Nothing is known of any GPU, so nothing will be done: " + reason);
      case Observation.Seen _ -> Optional.empty();
    };
  }

  private static List<String> breaker(CircuitBreaker.BreakerStatus status) {
    return status.reasons().stream()
        .filter(why -> !(why instanceof BreakerReason.Blind))
        .map(
            why ->
                "The circuit breaker is open, so no new warning or action begins: "
                    + why.sentence())
        .toList();
  }

  private static String workloads(CycleReport report) {
    if (report.judgments().isEmpty()) {
      return "No workload requests a GPU.\n";
    }
    var table = new Table("NAMESPACE", "WORKLOAD", "GPUS", "VERDICT", "REASON");
    for (Judgment judgment : report.judgments()) {
      Workload workload = judgment.verdict().workload();
      table.add(
          workload.namespace(),
          workload.kind() + "/" + workload.name(),
          workload.devicesText(),
          VerdictCode.of(judgment.verdict()).verdict(),
          reason(judgment.verdict(), report.observation()));
    }
    return table.text();
  }

  /** That the source is blind is said once, above the table. */
  private static String reason(Verdict verdict, Observation observation) {
    boolean saidAbove =
        observation instanceof Observation.Blind
            && verdict instanceof Verdict.Unknown(_, _, var evidence)
            && evidence.cause() == UnknownCause.BLIND;
    return saidAbove ? "see above" : VerdictSentence.of(verdict);
  }

  private static String steps(CycleReport report) {
    if (report.plan().entries().isEmpty() && report.postponed().isEmpty()) {
      return "Nothing to do now.\n";
    }
    var table = new Table("STEP", "WORKLOAD", "REASON");
    for (Plan.PlanEntry entry : report.plan().entries()) {
      table.add(entry.step().name(), entry.step().workload().toString(), entry.reason());
    }
    for (Postponement postponed : report.postponed()) {
      table.add("wait", postponed.verdict().workload().toString(), postponement(postponed));
    }
    return table.text();
  }

  private static String results(List<StepResult> results) {
    if (results.isEmpty()) {
      return "";
    }
    var table = new Table("STEP", "WORKLOAD", "OUTCOME");
    for (StepResult result : results) {
      table.add(result.step().name(), result.step().workload().toString(), result.sentence());
    }
    return "\n" + table.text();
  }

  /** What was left out of the answer, and what does not hold as it is written. */
  static List<String> remarks(CycleReport report) {
    var lines = new ArrayList<String>();
    if (report.observation() instanceof Observation.Seen seen) {
      seen.format().ifPresent(form -> lines.add("evidence in the form " + form));
      lines.addAll(seen.oddities());
    }
    report.judgments().stream()
        .flatMap(judgment -> judgment.policy().stream())
        .flatMap(policy -> policy.remarks().stream())
        .map(Remark::text)
        .distinct()
        .forEach(lines::add);
    return lines;
  }

  /** Why a workload that is due is not acted on yet. */
  static String postponement(Postponement postponed) {
    return VerdictSentence.withoutTimes(postponed.verdict())
        + ", but not before "
        + postponed.notBefore().truncatedTo(ChronoUnit.SECONDS)
        + ": "
        + postponed.why();
  }
}
