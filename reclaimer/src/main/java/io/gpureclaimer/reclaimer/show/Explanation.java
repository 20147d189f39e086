package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.execution.StepResult;
import io.gpureclaimer.reclaimer.plan.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judgment;
import io.gpureclaimer.reclaimer.verdict.Judgment.PodEvidence;
import java.util.List;
import java.util.Optional;

/**
 * All that a report knows about the workload of one pod, for whoever puts it into words.
 *
 * @param report where it is from
 * @param judgment of the workload
 */
record Explanation(CycleReport report, Judgment judgment) {

  /** About this pod; empty when the report knows no such pod. */
  static Optional<Explanation> of(CycleReport report, String namespace, String pod) {
    return report.judgments().stream()
        .filter(judgment -> concerns(judgment, namespace, pod))
        .findFirst()
        .map(judgment -> new Explanation(report, judgment));
  }

  private static boolean concerns(Judgment judgment, String namespace, String pod) {
    return judgment.verdict().workload().pods().stream()
        .anyMatch(p -> p.ref().namespace().equals(namespace) && p.ref().name().equals(pod));
  }

  List<Plan.Entry> planned() {
    return report.plan().entries().stream().filter(entry -> concernsIt(entry.step())).toList();
  }

  List<Postponement> postponed() {
    return report.postponed().stream()
        .filter(postponed -> postponed.verdict().equals(judgment.verdict()))
        .toList();
  }

  List<StepResult> results() {
    return report.results().stream().filter(result -> concernsIt(result.step())).toList();
  }

  List<Finding> findings() {
    return Findings.of(judgment);
  }

  String outlook() {
    return Outlook.of(judgment.verdict(), report.at());
  }

  /** What the source said of one of its pods; nothing if it did not answer. */
  Optional<PodActivity> activity(PodEvidence pod) {
    return switch (report.observation()) {
      case Observation.Seen seen -> seen.pod(pod.pod().uid());
      case Observation.Blind _ -> Optional.empty();
    };
  }

  private boolean concernsIt(Step step) {
    return step.verdict().equals(judgment.verdict());
  }
}
